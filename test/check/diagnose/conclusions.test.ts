import { describe, expect, test } from "vitest";
import type { Variant } from "../../../src/check/check-context.ts";
import type { Credential } from "../../../src/check/credential.ts";
import { hex40, token, wsse } from "../causes/found.ts";
import { diagnosis, end, lost, type Mind, needing, pasted, remaining } from "./means.ts";

const clockAdvice =
  "Compare this machine's clock (timedatectl) with a third one, such as the Date of another server: if this machine's is wrong, set it by NTP; if the server's is, tell its operator";

const wrong = remaining;
const wrongToken = "the credential itself may be wrong";
const compare =
  "Compare the credential (now set by the default and the default) with what the account shows, and ask whether the account is active, and how the API computes the digest";

describe("where nothing is accepted, and the response without credentials", () => {
  const alike = [
    `measured ruled-out: changes for these were refused too: a clock that is a few seconds ahead, ${end}; ${wrong}`,
    "possible header-ignored: the response without credentials is the same: the API may answer all refusals alike, or may not receive the header",
  ];
  const arrived = [
    `measured ruled-out: ruled out: ${lost}, a clock that is a few seconds ahead, ${end}; ${wrong}`,
  ];
  const unknown = [`measured ruled-out: ruled out: a clock that is a few seconds ahead, ${end}; ${wrong}`];
  test.each<[string, Mind, readonly string[]]>([
    ["is the same", "refuse", alike],
    ["is the same but for a field", "alikeByOther", alike],
    ["has another status", "forbid", arrived],
    ["has another body", "differently", arrived],
    ["has another type", "otherType", arrived],
    ["is not the API's", "404", arrived],
    ["is a server's failure", "503", unknown],
    ["is a server's failure with a wait, which is no lock", "busy", unknown],
    ["does not come", "fail", unknown],
  ])("%s", async (_, bare, expected) => {
    const { found, fixes, outcome, variants } = await diagnosis({
      answer: (number) => (number === 1 ? bare : "refuse"),
    });
    expect(found).toEqual(expected);
    expect(fixes[0]).toBe(compare);
    expect(outcome.kind).toBe("rejected");
    // Without credentials, 3 s earlier, the field and 11 conventions.
    expect(variants).toHaveLength(14);
  });
});

test.each<[Mind, string]>([
  ["refuse", `nothing was accepted; ${wrongToken}`],
  ["differently", `ruled out: ${lost}; ${wrongToken}`],
  ["503", `nothing was accepted; ${wrongToken}`],
])("a token without mistakes has one experiment: %s", async (bare, message) => {
  const { found, announced } = await diagnosis({ credential: token(hex40), answer: () => bare });
  expect(found[0]).toBe(`measured ruled-out: ${message}`);
  expect(announced).toEqual([
    "diagnosis, request 1 of at most 5: without credentials, to see whether the response differs",
  ]);
});

test.each<["page" | "noLength"]>([["page"], ["noLength"]])(
  "after a refusal that the API may not have made (%s), only an acceptance shows anything",
  async (first) => {
    const { found, fixes } = await diagnosis({
      first,
      answer: (number) => (number === 1 ? "differently" : first),
    });
    expect(found).toEqual([
      `measured ruled-out: changes for these were refused too: ${lost}, a clock that is a few seconds ahead, ${end}; nothing shows whether the API was reached`,
    ]);
    expect(fixes[0]).toMatch(/, and ask the operator of the gateway/);
    expect((await diagnosis({ first, answer: needing({}, first) })).ids).toBe("proved digest-convention");
  },
);

const again = "the accepted request and the first one got the same answers twice more";

const hasSecret =
  (secret: string) =>
  (_: number, { credential }: Variant): Mind =>
    credential?.method === "wsse" && credential.secret.reveal() === secret ? "accept" : "refuse";

test.each<[string, Credential, (number: number, variant: Variant) => Mind, string, string]>([
  [
    "the time",
    wsse(),
    (_, { credential, shiftSeconds }) => (credential && shiftSeconds < 0 ? "accept" : "refuse"),
    `clock: accepted with Created 3 s earlier: only the time was wrong; ${again} (6 further requests)`,
    clockAdvice,
  ],
  [
    "the time and the field",
    wsse(),
    (_, { credential, shiftSeconds }) =>
      credential?.method === "wsse" && credential.authorization === "wsse" && shiftSeconds < 0
        ? "accept"
        : "refuse",
    `authorization: accepted with \`authorization: wsse\` and Created 3 s earlier; ${again} (10 further requests)`,
    `Use --authorization wsse, or set REFERRAL_AUTHORIZATION=wsse (not set now). ${clockAdvice}`,
  ],
  [
    "no credentials",
    wsse(),
    (_, { credential }) => (credential ? "refuse" : "accept"),
    `no-authentication: accepted without credentials: the server does not check them; ${again} (5 further requests)`,
    "Check the base URL (now set by the default): this endpoint may be a stand-in, or have its authentication switched off",
  ],
  [
    "the secret cleaned",
    pasted.credential,
    hasSecret("correct-horse"),
    `credential-cleaned: accepted with the secret without quotation marks around it; ${again} (8 further requests)`,
    "Set the secret without quotation marks around it (now set by the default)",
  ],
  [
    "the token as the secret",
    wsse(),
    hasSecret("a-token"),
    `token-is-secret: accepted with the token as the secret; ${again} (8 further requests)`,
    "Set the secret (now set by the default) to the token (now set by the default)",
  ],
  [
    "a token cleaned",
    token('"a-token"'),
    (_, { credential }) =>
      credential?.method === "token" && credential.token.reveal() === "a-token" ? "accept" : "refuse",
    `credential-cleaned: accepted with the token without quotation marks around it; ${again} (6 further requests)`,
    "Set the token without quotation marks around it (now set by the default)",
  ],
])("a server that needs %s", async (_, credential, answer, finding, fix) => {
  const { found, fixes } = await diagnosis({ credential, answer, spare: pasted.spare });
  expect([found, fixes]).toEqual([[`proved ${finding}`], [fix]]);
});

test("a clock that differs is corrected by the difference, and then by 3 s more", async () => {
  // The made-up responses come at 12:00:00.510 by this clock.
  const { found, announced } = await diagnosis({
    answer: (_, { shiftSeconds }) => (shiftSeconds === -373 ? "accept" : "refuse"),
    date: "Sat, 21 Nov 2026 11:53:50 GMT",
  });
  expect(announced[1]).toMatch(/: Created 6 minutes 10 seconds earlier$/);
  const message = "accepted with Created 6 minutes 13 seconds earlier: only the time was wrong; ";
  expect(found).toEqual([expect.stringContaining(`proved clock: ${message}`)]);
});

test.each<[string, (number: number, variant: Variant) => Mind, string]>([
  ["something is proved", needing(), "proved digest-convention"],
  ["nothing is accepted", () => "refuse", "measured ruled-out,possible header-ignored"],
  ["it ends early", needing({ 2: "429" }), "measured diagnosis-stopped,possible header-ignored"],
])("a spare token that cannot be read is a remark where %s", async (_, answer, ids) => {
  const run = await diagnosis({ answer, spare: { problem: "the file is missing" } });
  expect(run.ids).toBe(`${ids},measured spare-token`);
  expect(run.found.at(-1)).toBe(
    "measured spare-token: the token was not tried as the secret: the file is missing",
  );
  expect(run.fixes.at(-1)).toBe("Correct the token (now set by the default), or leave it out");
});
