import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { RequestCredentials } from "../../src/emulator/authenticate.ts";
import { Interrupted } from "../../src/mistake.ts";
import { conventionNames } from "../../src/wsse/digest.ts";
import { authenticated, headerWith, refused, withToken, withWsse } from "./authenticated.ts";
import { startRun, until } from "./start-run.ts";
import { credentials, now, type Received, send, startTestEmulator, wsse } from "./support.ts";

const printable = fc.stringMatching(/^[ !#-~]{1,128}$/);
const clock = new Date(now).toISOString();
const createdForms = fc.constantFrom(
  clock,
  clock.replace(".000Z", "Z"),
  clock.replace(".000Z", "+0000"),
  clock.replace(".000Z", "+00"),
  clock.replace("Z", "+00:00"),
  clock.replaceAll(/[-:]|\.000/g, ""),
);

test("accepts every printable nonce and form of Created, hashed as sent, and notes what is unusual", () => {
  const digest = fc.constantFrom(...conventionNames);
  fc.assert(
    fc.property(printable, createdForms, digest, (wireNonce, created, convention) => {
      const sent = headerWith(wireNonce, created, { digest: convention });
      expect(authenticated(sent, { digest: convention })).toMatchObject({
        kind: "wsse",
        notes: [expect.stringMatching(/^Nonce is not /), expect.stringMatching(/^Created is not /)],
      });
      expect(authenticated(sent, { digest: convention, strict: true })).toMatchObject({
        kind: "refused",
        reason: "malformed",
        detail: expect.stringMatching(/^Nonce is not .*; Created is not /),
      });
    }),
  );
});

test.each(conventionNames)("--strict accepts what the client sends by %s, without a note", (digest) => {
  const result = authenticated(withWsse(wsse({ digest })), { digest, strict: true });
  expect(result).toMatchObject({ kind: "wsse", notes: [] });
});

test("two nonces that the convention hashes alike have one key, and others have two", () => {
  const spelling = fc.constantFrom<(text: string) => string>(
    (text) => text,
    (text) => text.toUpperCase(),
    (text) => text.replace(/=+$/, ""),
    (text) => text.replaceAll("+", "-").replaceAll("/", "_"),
    (text) => ` ${text}`,
  );
  const base64 = fc
    .uint8Array({ minLength: 1, maxLength: 60 })
    .map((bytes) => Buffer.from(bytes).toString("base64"));
  fc.assert(
    fc.property(fc.constantFrom(...conventionNames), base64, spelling, (digest, first, spell) => {
      const second = spell(first);
      const [one, other] = [first, second].map((text) => {
        const sent = headerWith(text, clock, { digest });
        const result = authenticated(sent, { digest });
        return { key: result.kind === "wsse" ? result.nonceKey : null, header: sent.wsse[0] };
      });
      const digestOf = (header = ""): string => /PasswordDigest="([^"]*)"/.exec(header)?.[1] ?? "";
      expect(one?.key === other?.key).toBe(digestOf(one?.header) === digestOf(other?.header));
    }),
    { examples: [["base64-nonce", "AA==", (text) => text.replace("A=", "B=")]] },
  );
});

describe('--authorization wsse wants WSSE profile="UsernameToken" beside X-WSSE', () => {
  const check = (...authorization: readonly string[]) =>
    authenticated({ wsse: [wsse()], token: [], authorization }, { authorization: "wsse" });

  test.each([
    'WSSE profile="UsernameToken"',
    'wsse Profile="UsernameToken"',
    "WSSE profile=UsernameToken",
    'WSSE  profile = "UsernameToken"',
  ])("%s is accepted", (value) => {
    expect(check(value)).toMatchObject({ kind: "wsse" });
  });

  test.each([
    [],
    [""],
    ["WSSE"],
    ['WSSE profile="Other"'],
    ['WSSE profile="UsernameToken'],
    ["Basic bWU6cHc="],
    ['Basic profile="UsernameToken"'],
  ])("%j is refused", (...values) => {
    expect(check(...values)).toEqual(
      refused("authorization", 'Authorization: WSSE profile="UsernameToken" was not sent beside X-WSSE'),
    );
  });

  test("a token needs none", () => {
    expect(authenticated(withToken(credentials.token), { authorization: "wsse" })).toEqual({ kind: "token" });
  });

  test("without it, the field beside X-WSSE does not matter", () => {
    expect(authenticated({ wsse: [wsse()], token: [], authorization: ["Basic bWU6cHc="] })).toMatchObject({
      kind: "wsse",
    });
  });
});

describe("on standard error, the command", () => {
  const line = "2026-11-21T03:31:00Z GET /test-authentication";
  const shapes =
    "note: Nonce is not 40 hexadecimal characters; note: Created is not of the form YYYY-MM-DDThh:mm:ss+00:00";
  const given = [
    "--token",
    credentials.token,
    "--username",
    credentials.username,
    "--secret",
    credentials.secret,
  ];

  /** Runs `emulator` with these arguments and sends these requests to it. Resolves with the statuses and its log. */
  async function log(args: readonly string[], requests: readonly RequestCredentials[]) {
    const run = startRun([...given, ...args]);
    await until(() => run.stdout() !== "");
    const url = /REFERRAL_BASE_URL='([^']*)'/.exec(run.stdout())?.[1] ?? "";
    const answers: Received[] = [];
    for (const {
      wsse: [header = ""],
      authorization: [field],
    } of requests) {
      const headers = { "X-WSSE": header, ...(field !== undefined && { Authorization: field }) };
      answers.push(await send(url, { headers }));
    }
    run.interrupt("SIGINT");
    await expect(run.ended).rejects.toBeInstanceOf(Interrupted);
    return { answers, lines: run.stderr().trimEnd().split("\n") };
  }

  test("notes unusual shapes of what it accepts and of what it refuses", async () => {
    const wrong = headerWith("abc", clock, { hash: "sha512" });
    const { answers, lines } = await log([], [headerWith("ab", clock), wrong]);
    expect(answers.map(({ status }) => status)).toEqual([200, 401]);
    expect(lines).toEqual([
      `${line} 200 accepted: X-WSSE; ${shapes}`,
      `${line} 401 digest: matches sha512; this server wants sha1; ${shapes}`,
    ]);
  });

  test("refuses unusual shapes with --strict", async () => {
    const { answers, lines } = await log(
      ["--strict", "--explain"],
      [headerWith("ab", clock), withWsse(wsse())],
    );
    expect(answers.map(({ status }) => status)).toEqual([401, 200]);
    expect(answers[0]?.body).toContain(`malformed: ${shapes.replaceAll("note: ", "")}`);
    expect(lines[0]).toBe(`${line} 401 malformed: ${shapes.replaceAll("note: ", "")}`);
  });

  test("refuses X-WSSE alone with --authorization wsse, and tells so with --explain", async () => {
    const both = { ...withWsse(wsse()), authorization: ['WSSE profile="UsernameToken"'] };
    const { answers, lines } = await log(["--authorization", "wsse", "--explain"], [withWsse(wsse()), both]);
    const reason = 'authorization: Authorization: WSSE profile="UsernameToken" was not sent beside X-WSSE';
    expect(answers.map(({ status }) => status)).toEqual([401, 200]);
    expect(JSON.parse(answers[0]?.body ?? "").message).toContain(reason);
    expect(lines[0]).toBe(`${line} 401 ${reason}`);
  });

  test("refuses a nonce that comes again in another spelling", async () => {
    const nonces = ["+/8=", "-_8=", "+/8"];
    const requests = nonces.map((text) => headerWith(text, clock, { digest: "base64-nonce" }));
    const { answers, lines } = await log(["--digest", "base64-nonce"], requests);
    expect(answers.map(({ status }) => status)).toEqual([200, 401, 401]);
    expect(lines[2]).toContain(" 401 replayed: the Nonce has been used before; note: ");
  });

  test("with a command to run, logs accepted requests only for a new note", async () => {
    const emulator = await startTestEmulator({ refusalsOnly: true });
    const usual = clock.replace(".000Z", "+00:00");
    for (const sent of [
      withWsse(wsse()),
      headerWith("a", usual),
      headerWith("b", usual),
      headerWith("c", clock),
    ])
      expect((await send(emulator.url, { headers: { "X-WSSE": sent.wsse[0] } })).status).toBe(200);
    expect(emulator.log).toEqual([
      `${line} 200 accepted: X-WSSE; ${shapes.split("; ")[0]}`,
      `${line} 200 accepted: X-WSSE; ${shapes}`,
    ]);
  });
});
