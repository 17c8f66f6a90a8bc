import { expect, test } from "vitest";
import { challengerIn } from "../../../src/check/read/challenge.ts";

// Who asks; a foreign scheme stands for itself. A field that breaks the grammar is not read at all.
test.each<[asks: string, ...(readonly string[])[]]>([
  ["none", [], [""], [" ,, ,"]],
  ...[
    ...["WSSE", "wsse", "UsernameToken", "Token", "X-AUTH-TOKEN", "WSSE realm=x", "WSSE realm="],
    "WSSE, Token",
    ...['WSSE realm="x", profile="UsernameToken"', 'WSSE  realm = "x"\t,\tprofile =y', "WSSE , realm=x"],
    ...['WSSE realm="use, Basic \\"auth\\" \\\\", Token', ", ,WSSE realm=x,,profile=y, ,", "Token abc=="],
    ...["Token a-._~+/b=, WSSE", 'WSSE realm="\xe9\t"', 'WSSE realm=""'],
  ].map((field): [string, string[]] => ["api", [field]]),
  ["basic", ["Basic"], ['Mutual-"', "Basic"]],
  ["dpop", ['WSSE realm="x", DPoP algs="ES256"']],
  ["aws4-hmac-sha256", ["AWS4-HMAC-SHA256"]],
  ["privatetoken", ["WSSE", 'PrivateToken challenge="abc=", token-key="def="']],
  ["ntlm", ["Token abc, NTLM"]],
  ["x", ["X a="]],
  ["wsse2", ["WSSE2"]],
  ["!#$%&'*+-.^_`|~z09", ["!#$%&'*+-.^_`|~Z09"]],
  ...[
    ...['WSSE realm="x', 'WSSE realm="x\\"', 'WSSE realm="x" profile="y"', "WSSE realm=x y", "WSSE, realm=x"],
    ...["Token abc, realm=x", "realm=x", 'WSSE realm="x"y', "WSSE\trealm=x y=z", "WSSE @", '"WSSE"'],
    ...["WSSE; realm=x", "WSSE realm='a b'", "Token abc==d", 'WSSE realm="\x01"'],
  ].map((field): [string, string[], string[]] => ["unreadable", [field], ["WSSE", field]]),
])("%s asks in %j", (expected, ...cases) => {
  for (const fields of cases) {
    const challenger = challengerIn(fields);
    expect(challenger.kind === "other" ? challenger.scheme : challenger.kind, fields.join()).toBe(expected);
  }
});
