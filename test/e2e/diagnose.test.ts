import { createServer } from "node:http";
import { expect, onTestFinished, test } from "vitest";
import { requestLimit } from "../../src/check/changes.ts";
import { emulate } from "../support/emulate.ts";
import { folderWith } from "../support/folder.ts";
import { planted } from "../support/planted.ts";
import { type GivenInProcess, runInProcess } from "../support/run.ts";
import { json, serve, success } from "../support/serve.ts";
import { accept, refuse, wsse } from "./profiles.ts";

// test/check/diagnose has what a diagnosis tries, says and proves, and test/check/sender.test.ts how it makes requests.

const { secret, token, username } = planted;

/** Runs `test --wsse --diagnose --json` and returns what it found. */
async function diagnose(url: string, environment = {}, given: GivenInProcess = {}) {
  const run = await runInProcess(["test", "--wsse", "--diagnose", "--json"], {
    ...given,
    environment: { ...wsse, REFERRAL_BASE_URL: url, ...environment },
  });
  expect(run.exitCode).toBe(4);
  return { run, findings: run.checks[0]?.findings ?? [] };
}

test("a convention, a hash and a clock, all of which are wrong, are proved together", async () => {
  const convention = { digest: "hex-digest", hash: "sha512" } as const;
  const api = await emulate({ ...convention, clockOffsetSeconds: 3_600, strict: true });
  const [proved, ...others] = (await diagnose(api.url)).findings;
  const message = expect.stringMatching(
    / and Created (?:59 minutes 5\d seconds|1 hour) later was accepted \(/,
  );
  const fix = expect.stringMatching(
    /^Use --digest hex-digest, .*\. Use --hash sha512, .*\. Compare this machine's clock .*$/,
  );
  expect(proved).toMatchObject({ id: "digest-convention", certainty: "proved", message, fix });
  expect(others).toContainEqual(expect.objectContaining({ id: "clock-behind", certainty: "measured" }));
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
  const { run, findings } = await diagnose(api.url, environment, { now });
  const end =
    /`digest: hex-digest` and `hash: sha512` and `authorization: wsse` and Created 6 minutes 43 seconds earlier was accepted \(proved by 24 further requests\)/;
  expect(findings[0]).toMatchObject({ id: "digest-convention", message: expect.stringMatching(end) });
  const nonces = api.requests.map(({ headers }) => /Nonce="[^"]*"/.exec(String(headers["x-wsse"]))?.[0]);
  expect(nonces).toHaveLength(1 + requestLimit);
  expect(new Set(nonces.filter((nonce) => nonce !== undefined)).size).toBe(requestLimit);
  expect(run.stderr).toMatch(/^wsse: diagnosis, at most .*; each may count as a failed login\n$/);
});

test("no digest is shown that a server sends back: its own request's, or an earlier one's", async () => {
  const api = await serve((_, response) => {
    const { length } = api.requests;
    const sent = [1, length < 5 ? 2 : 4].map((back) =>
      String(api.requests[length - back]?.headers["x-wsse"]),
    );
    json(response, length < 3 ? 503 : 401, { message: sent.join() }, { "x-echo": sent.join() });
  });
  const environment = { ...wsse, REFERRAL_BASE_URL: api.url };
  const args = ["test", "--wsse", "--retry", "2", "--diagnose", "--verbose"];
  const { everything } = await runInProcess(args, { environment });
  const digests = api.requests.flatMap(
    ({ headers }) => /PasswordDigest="([^"]+)"/.exec(String(headers["x-wsse"]))?.[1] ?? [],
  );
  expect(digests.length).toBeGreaterThan(16);
  expect(everything).toContain('PasswordDigest="[secret]"');
  expect(digests.filter((digest) => everything.includes(digest))).toEqual([]);
});

test("of several accounts, the first that is refused is diagnosed for each origin, and standard error says so", async () => {
  const bases = [await serve(refuse), await serve(refuse)];
  const accounts = bases.flatMap(({ url }) =>
    [..."abc"].map((name) => ({ profile: name, baseUrl: `${url}/${name}`, token: `"${name.repeat(40)}"` })),
  );
  const args = ["test", "--accounts=-", "--diagnose", "--concurrency", "1"];
  const stdin = accounts.map((line) => JSON.stringify(line)).join("\n");
  const { exitCode, stderr } = await runInProcess(args, { stdin });
  // Three accounts, and for one of them the request without credentials and the one without quotation marks.
  expect([exitCode, ...bases.map(({ requests }) => requests.length)]).toEqual([4, 5, 5]);
  const told = stderr.match(/no other is diagnosed.*; to diagnose another account, check it alone\n/g);
  expect(told).toHaveLength(2);
});

const account = `username: ${username}\nsecret: ${secret}\n`;
const [wrong, right] = ["digest: text-nonce\n", "digest: base64-nonce\n"];
const useIt = "Use --digest base64-nonce";

/** What a user can change to follow a fix: arguments, variables, and the text of the rc file. */
interface Situation {
  readonly args?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly rc?: string;
}

// test/settings/advice.test.ts has every sentence. These show that to do what it says changes the request.
test.each<[string, Situation, string, Situation]>([
  [
    "a variable",
    { environment: { REFERRAL_DIGEST: "text-nonce" }, rc: account },
    `${useIt} (now set by REFERRAL_DIGEST)`,
    { environment: { REFERRAL_DIGEST: "text-nonce" }, args: ["--digest", "base64-nonce"], rc: account },
  ],
  [
    "the rc file",
    { rc: account + wrong },
    "Write digest: base64-nonce at RC:3 (now set there)",
    { rc: account + right },
  ],
  [
    "the defaults, by a variable",
    { environment: wsse },
    `${useIt}, or set REFERRAL_DIGEST=base64-nonce (not set now)`,
    { environment: { ...wsse, REFERRAL_DIGEST: "base64-nonce" } },
  ],
])("a fix for a value of %s is followed literally, and works", async (_, before, fix, after) => {
  const { url } = await emulate({ digest: "base64-nonce" });
  const run = ({ args = [], environment, rc }: Situation, ...more: readonly string[]) => {
    const homeFolder = folderWith(rc === undefined ? {} : { ".referralrc": rc });
    const given = { homeFolder, environment: { REFERRAL_BASE_URL: url, ...environment } };
    return runInProcess(["test", "--wsse", ...args, ...more], given);
  };
  const [first] = (await run(before, "--diagnose", "--json")).checks[0]?.findings ?? [];
  expect(first?.certainty).toBe("proved");
  expect(first?.fix.replace(/\S*\.referralrc/, "RC")).toBe(fix);
  expect(await run(after)).toMatchObject({ exitCode: 0, stderr: "" });
});

test("servers behind one name that answer differently are named with their addresses, and the advice asks one of them", async () => {
  const addresses = ["127.0.0.1", "127.0.0.2"];
  const refusing = await serve(refuse);
  const port = Number(new URL(refusing.url).port);
  const accepting = createServer(accept);
  await new Promise<void>((resolve) => accepting.listen(port, "127.0.0.2", resolve));
  onTestFinished(() => void accepting.close());
  let count = 0;
  const lookup = async () => [{ address: addresses[count++ % addresses.length] ?? "", family: 4 }];
  const args = ["test", "--wsse", "--diagnose", "--json", "--insecure-http"];
  const { checks } = await runInProcess([...args, "--base-url", `http://api.example:${port}`], {
    environment: wsse,
    broken: () => ({ lookup }),
  });
  const finding = checks[0]?.findings.find(({ id }) => id === "inconsistent-server");
  expect(finding?.message).toMatch(/ \(accepted at 127\.0\.0\.2; refused at 127\.0\.0\.1\), or a change/);
  const ask = `Ask one server alone, with --resolve api.example:${port}:127.0.0.1, then 127.0.0.2. `;
  expect(finding?.fix.startsWith(ask)).toBe(true);
});
