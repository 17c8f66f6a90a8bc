import { describe, expect, test } from "vitest";
import { challengerIn } from "../../../src/check/read/challenge.ts";
import { processorTime } from "../../support/processor-time.ts";

/** Who asks, in one word: a foreign scheme stands for itself. */
function asks(...fields: readonly string[]): string {
  const challenger = challengerIn(fields);
  return challenger.kind === "other" ? challenger.scheme : challenger.kind;
}

describe("challenges of the API's own are read in every form that the grammar allows", () => {
  test.each([
    "WSSE",
    "wsse",
    "UsernameToken",
    "Token",
    "X-AUTH-TOKEN",
    'WSSE realm="x", profile="UsernameToken"',
    "WSSE realm=x",
    'WSSE  realm = "x"\t,\tprofile =y',
    'WSSE realm="use, Basic \\"auth\\" \\\\", Token',
    "WSSE , realm=x",
    ", ,WSSE realm=x,,profile=y, ,",
    "Token abc==",
    "WSSE realm=",
    "Token a-._~+/b=, WSSE",
    "WSSE, Token",
    'WSSE realm="\xe9\t"',
    'WSSE realm=""',
  ])("%s", (field) => {
    expect(asks(field)).toBe("api");
  });
});

describe("any other scheme shows somebody else, wherever it stands", () => {
  test.each([
    ["basic", ["Basic"]],
    ["dpop", ['WSSE realm="x", DPoP algs="ES256"']],
    ["aws4-hmac-sha256", ["AWS4-HMAC-SHA256"]],
    ["privatetoken", ["WSSE", 'PrivateToken challenge="abc=", token-key="def="']],
    ["basic", ['Mutual-"', "Basic"]],
    ["ntlm", ["Token abc, NTLM"]],
    ["x", ["X a="]],
    ["wsse2", ["WSSE2"]],
    ["!#$%&'*+-.^_`|~z09", ["!#$%&'*+-.^_`|~Z09"]],
  ])("%s", (scheme, fields) => {
    expect(asks(...fields)).toBe(scheme);
  });
});

describe("a field that breaks the grammar is not read at all", () => {
  test.each([
    'WSSE realm="x',
    'WSSE realm="x\\"',
    'WSSE realm="x" profile="y"',
    "WSSE realm=x y",
    "WSSE, realm=x",
    "Token abc, realm=x",
    "realm=x",
    'WSSE realm="x"y',
    "WSSE\trealm=x y=z",
    "WSSE @",
    '"WSSE"',
    "WSSE; realm=x",
    "WSSE realm='a b'",
    "Token abc==d",
    'WSSE realm="\x01"',
  ])("%s", (field) => {
    expect(asks(field)).toBe("unreadable");
    expect(asks("WSSE", field)).toBe("unreadable");
  });
});

test.each([[[]], [[""]], [[" ,, ,"]]])("no element is no challenge: %j", (fields) => {
  expect(asks(...fields)).toBe("none");
});

test("the time is linear in the length, whatever a server sends", async () => {
  const length = 400_000;
  const hostile = [
    "a",
    " ",
    ",",
    '"',
    "\\",
    "=",
    "a ",
    "a=",
    'a="',
    "a,",
    "a =",
    'a="b",',
    "a b=c,",
    "Token ",
  ];
  for (const text of hostile) {
    const field = `WSSE ${text.repeat(length / text.length)}@`;
    const { milliseconds } = await processorTime(() => challengerIn([field]));
    expect(milliseconds, text).toBeLessThan(2_000);
  }
});
