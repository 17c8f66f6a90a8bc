import { chmodSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { requestLimit } from "../../src/check/result.ts";
import { emulate } from "../support/emulate.ts";
import { folderWith } from "../support/folder.ts";
import { planted } from "../support/planted.ts";
import { runInProcess } from "../support/run.ts";
import { json, serve, success } from "../support/serve.ts";
import { accepts, diagnose, wsse } from "./diagnose.ts";

const { secret, token } = planted;

const again = "the accepted request and the first one got the same answers twice more";

describe("diagnosis proves", () => {
  test.each([
    ["ahead", -400, "earlier"],
    ["behind", 400, "later"],
  ])("a clock that is %s", async (way, clockOffsetSeconds, words) => {
    const api = await emulate({ clockOffsetSeconds });
    const { proved, findings } = await diagnose(api.url);
    const start = new RegExp(
      `^accepted with Created \\S+ \\S+( \\S+ \\S+)? ${words}: only the time was wrong; `,
    );
    expect(proved).toMatchObject([{ id: "clock", message: expect.stringMatching(start) }]);
    expect(findings[0], "what is proved stands first").toEqual(proved[0]);
    expect(findings).toContainEqual(expect.objectContaining({ id: `clock-${way}`, certainty: "measured" }));
    expect(api.log).toHaveLength(7);
  });

  test("a convention, a hash and a clock, all of which are wrong", async () => {
    const convention = { digest: "hex-digest", hash: "sha512" } as const;
    const api = await emulate({ ...convention, clockOffsetSeconds: 3_600, strict: true });
    const { proved } = await diagnose(api.url);
    const message = expect.stringMatching(/ and Created (?:59 minutes 5\d seconds|1 hour) later; /);
    const fix = expect.stringMatching(
      /^Use --digest hex-digest, .*\. Use --hash sha512, .*\. Compare this machine's clock .*$/,
    );
    expect(proved).toMatchObject([{ id: "digest-convention", message, fix }]);
  });

  test("3 s at a server that accepts no Created ahead of its own clock", async () => {
    // Both clocks stand still, so that a delay does not change the difference.
    const now = Date.parse("2026-11-21T12:00:00.500Z");
    const date = { date: new Date(now - 2_000).toUTCString() };
    const api = await serve((request, response) => {
      const [, created = ""] = /Created="(.*)"/.exec(String(request.headers["x-wsse"])) ?? [];
      const isAccepted = accepts(request, { digest: "hex-digest" }) && Date.parse(created) <= now - 2_000;
      json(response, isAccepted ? 200 : 401, isAccepted ? success : {}, date);
    });
    const { proved } = await diagnose(api.url, {}, { now });
    const message = expect.stringMatching(/^accepted with `digest: hex-digest` and Created 3 s earlier; /);
    expect(proved).toMatchObject([{ message }]);
  });

  test("a secret that is the token", async () => {
    const api = await emulate({ accounts: [{ ...planted, secret: token }] });
    const { proved } = await diagnose(api.url, { REFERRAL_SECRET: "not-the-secret", REFERRAL_TOKEN: token });
    expect(proved).toMatchObject([{ id: "token-is-secret" }]);
  });

  test("a secret with paste mistakes to be right without them", async () => {
    const api = await emulate();
    const { proved, findings } = await diagnose(api.url, { REFERRAL_SECRET: `export S='${secret}'` });
    const without =
      "the secret without a name and an equals sign or colon before it and quotation marks around it";
    const message = `accepted with ${without}; ${again} (8 further requests)`;
    const fix = `Set ${without} (now set by REFERRAL_SECRET)`;
    expect(proved).toEqual([{ id: "credential-cleaned", certainty: "proved", message, fix }]);
    expect(findings).toContainEqual(expect.objectContaining({ certainty: "measured" }));
    // The refused one, without credentials, 3 s earlier, cleaned, this and the first twice more, and cleaned with this clock's time.
    expect(api.log).toHaveLength(9);
  });

  test("a token with paste mistakes to be right without them", async () => {
    const api = await emulate();
    const environment = { REFERRAL_BASE_URL: api.url, REFERRAL_TOKEN: `X-Auth-Token: ${token}` };
    const { exitCode, stdout } = await runInProcess(["test", "--diagnose"], { environment });
    expect([exitCode, api.log.length]).toEqual([4, 7]);
    expect(stdout.replace(/\s+/g, " ")).toMatch(/ proved accepted with the token without /);
  });
});

describe("the spare token", () => {
  test("that cannot be read is a remark, and changes no verdict", async () => {
    const api = await emulate({ digest: "hex-digest" });
    const { findings } = await diagnose(api.url, { REFERRAL_TOKEN_FILE: "/nonexistent" });
    expect(findings.map((finding) => finding.id)).toContain("digest-convention");
    const message = expect.stringContaining("REFERRAL_TOKEN_FILE");
    expect(findings).toContainEqual(expect.objectContaining({ id: "spare-token", message }));
  });

  test("is masked in what comes back, though it was read only then", async () => {
    const api = await serve((_, response) => {
      if (api.requests.length === 4) json(response, 429, { message: `No: ${token}` });
      else json(response, 401, {});
    });
    const file = join(folderWith({ token }), "token");
    chmodSync(file, 0o600);
    const { findings } = await diagnose(api.url, { REFERRAL_TOKEN_FILE: file });
    expect(findings.find(({ id }) => id === "diagnosis-stopped")?.message).toContain("No: [secret]");
  });

  test("is not read if WSSE is accepted", async () => {
    const { url } = await emulate();
    const environment = { ...wsse, REFERRAL_BASE_URL: url, REFERRAL_TOKEN_FILE: "/nonexistent" };
    const run = await runInProcess(["test", "--wsse", "--diagnose"], { environment });
    expect(run.exitCode).toBe(0);
  });
});

test("if the secret is simply wrong, nothing is proved, and every request is shown with --verbose", async () => {
  // A password with an @ is no e-mail address: it is not swapped with the username.
  const api = await emulate();
  const account = { REFERRAL_USERNAME: "a-name", REFERRAL_SECRET: "P@ssw0rd!2026", REFERRAL_TOKEN: token };
  const { stdout, stderr } = await runInProcess(["test", "--wsse", "--diagnose", "--verbose"], {
    environment: { ...account, REFERRAL_BASE_URL: api.url },
  });
  expect(stdout).not.toMatch(/proved|swapped/);
  // Without credentials, 3 s earlier, the token, the field, and 11 conventions.
  expect(stderr.match(/^wsse: diagnosis, request/gm)).toHaveLength(15);
  expect(stderr.match(/^> GET /gm)).toHaveLength(16);
  expect(api.log).toHaveLength(16);
});

// Request 18 tries the last convention, 19 to 22 repeat it and the first, the next two leave out a change each, and the last shows
// that the server still accepts.
test("makes as many requests as are promised, announced once, with a nonce of its own each", async () => {
  const now = Date.parse("2026-11-21T12:00:00.500Z");
  const date = { date: new Date(now - 400_000).toUTCString() };
  // The hexadecimal digits of SHA-512, the Authorization field and a Created that is 403 seconds earlier, all of them.
  const needed = /PasswordDigest="[^"]{172}", Nonce="[0-9a-f]{40}", Created="2026-11-21T11:53:17/;
  const api = await serve(({ headers }, response) => {
    if (headers.authorization && needed.test(String(headers["x-wsse"]))) json(response, 200, success, date);
    else json(response, 401, { code: 401 }, date);
  });
  const environment = { REFERRAL_TOKEN: token, REFERRAL_SECRET: `"${secret}"` };
  const { run, proved } = await diagnose(api.url, environment, { now });
  const end =
    /`digest: hex-digest` and `hash: sha512` and `authorization: wsse` and Created 6 minutes 43 seconds earlier; .* \(24 further requests\)/;
  expect(proved).toMatchObject([{ id: "digest-convention", message: expect.stringMatching(end) }]);
  const nonces = api.requests.map(({ headers }) => /Nonce="[^"]*"/.exec(String(headers["x-wsse"]))?.[0]);
  expect(nonces).toHaveLength(1 + requestLimit);
  expect(new Set(nonces.filter((nonce) => nonce !== undefined)).size).toBe(requestLimit);
  expect(run.stderr).toMatch(/^wsse: diagnosis, at most .*; each may count as a failed login\n$/);
});

test("a digest that the server sends back is shown nowhere", async () => {
  const shown: string[] = [];
  const api = await serve(({ headers }, response) => {
    const [, digest = "none"] = /PasswordDigest="([^"]+)"/.exec(String(headers["x-wsse"])) ?? [];
    const spelled = encodeURIComponent(digest).toLowerCase();
    if (digest !== "none") shown.push(digest, spelled);
    const message = `wrong: ${shown.length % 4 === 0 ? digest : spelled}`;
    json(response, 401, { code: 401, message, error: headers["x-wsse"] }, { "x-echo": message });
  });
  const environment = { ...wsse, REFERRAL_BASE_URL: api.url };
  const args = ["test", "--wsse", "--diagnose", "--verbose", "--json"];
  const { everything } = await runInProcess(args, { environment });
  expect(shown.length).toBeGreaterThan(20);
  for (const text of shown) expect(everything).not.toContain(text);
});

test.each(["test --wsse --retry 2", "test --wsse --retry 2 --diagnose"])(
  "neither is the digest of any earlier request, which a server answers with: %s",
  async (command) => {
    const api = await serve((_, response) => {
      const { length } = api.requests;
      const earlier = String(api.requests[length < 5 ? length - 2 : length - 4]?.headers["x-wsse"]);
      json(response, length < 3 ? 503 : 401, { message: earlier }, { "x-echo": earlier });
    });
    const environment = { ...wsse, REFERRAL_BASE_URL: api.url };
    const { everything } = await runInProcess([...command.split(" "), "--verbose"], { environment });
    const digests = api.requests.map(
      ({ headers }) => /PasswordDigest="([^"]+)"/.exec(String(headers["x-wsse"]))?.[1] ?? "[secret]",
    );
    expect(digests.length).toBe(command.includes("diagnose") ? 17 : 3);
    expect(everything).toContain('PasswordDigest="[secret]"');
    expect(digests.filter((digest) => digest !== "[secret]" && everything.includes(digest))).toEqual([]);
  },
);
