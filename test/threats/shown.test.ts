import { join } from "node:path";
import { expect, test } from "vitest";
import { checkCredentials } from "../../src/index.ts";
import { folderWith } from "../support/folder.ts";
import { leaks, planted } from "../support/planted.ts";
import { runInProcess } from "../support/run.ts";
import { serveAlways } from "../support/serve.ts";

// What a mistake makes of a secret: it stands where a text belongs that is shown. `#` is the URL of the server.
const { secret, token } = planted;
const swapped = { username: secret, secret: "me@example.com" };
const account = { username: "me@example.com", secret };
const percentEncoded = Buffer.from(token).toString("hex").replace(/../g, "%$&");
const elsewhere = { token, baseUrl: "https://api.invalid" };
const places: Readonly<Record<string, object>> = {
  "username and secret swapped": swapped,
  "username and secret swapped, the latter in a file": { username: secret, secretFile: "address.txt" },
  "the secret as the username": { ...account, username: secret },
  "the secret within the username": { ...account, username: `x-${secret}@example.com` },
  "the secret within the username, in capitals": { ...account, username: secret.toUpperCase() },
  "the token as the username": { ...account, token, username: token },
  "the token in the path of the base URL": { token, baseUrl: `#/v1/${token}/x` },
  "the same, encoded": { token, baseUrl: `#/v1/${percentEncoded}` },
  "the same, in base64": { token, baseUrl: `#/v1/${Buffer.from(token).toString("base64url")}` },
  "the same, of an account that WSSE checks": { ...account, token, baseUrl: `#/${token}` },
  "the token as the host of the base URL": { token, baseUrl: `https://${token}.invalid` },
  "the token as the host of the proxy": { ...elsewhere, proxy: `http://${token}.invalid` },
  "the token as the password of the proxy": { ...elsewhere, proxy: `http://me:${token}@127.0.0.1:9` },
};
const outputs = ["test --verbose --retry 1", "test --diagnose --json", "test --wsse", "test --all", "config"];
const refusing = () => serveAlways(401, { code: 401, message: "No" });

/** Runs the program with this rc file; gives all that it wrote. */
async function everythingShown(rc: object, args: readonly string[]): Promise<string> {
  const workingFolder = folderWith({ "rc.json": rc, "address.txt": "me@example.com\n", "summary.md": "" });
  const more = ["--config", "rc.json", ...(args[0] === "test" ? ["--junit", "junit.xml"] : [])];
  const job = { GITHUB_ACTIONS: "true", GITHUB_STEP_SUMMARY: join(workingFolder, "summary.md") };
  // No name has an address, so that no run waits for DNS.
  const run = await runInProcess([...args, ...more], { workingFolder, environment: job, addresses: [] });
  expect([0, 3, 4, 6, 7], run.everything).toContain(run.exitCode);
  expect(run.everything).not.toBe("");
  return [run.everything, run.file("junit.xml"), run.file("summary.md")].join("\n");
}

test.each(Object.entries(places))("%s is shown nowhere", async (_, place) => {
  const { url } = await refusing();
  const values = JSON.parse(JSON.stringify({ baseUrl: "#", ...place }).replaceAll("#", url));
  const all = { [`of ${secret}`]: { ...values, ...account }, [token]: { ...values, token } };
  for (const output of outputs) {
    const args = output.split(" ");
    const shown = await everythingShown(args.includes("--all") ? { profiles: all } : values, args);
    const decoded = shown.replace(/(?:%[0-9a-f]{2})+/gi, decodeURIComponent);
    for (const text of [shown, shown.toLowerCase(), decoded])
      expect(leaks(text, [secret, secret.toLowerCase(), token]), output).toEqual([]);
  }
});

test("text that is not secret is shown: a correct username, the path and the profile", async () => {
  const { url } = await refusing();
  const rc = { profiles: { live: { ...account, baseUrl: `${url}/v1` } } };
  const shown = await everythingShown(rc, ["test", "--json", "--profile", "live"]);
  expect(shown).toContain('"profile": "live"');
  expect(shown).toContain("/v1/test-authentication");
  expect(shown).toContain('"credential": "me@example.com, digest ');
});

test("a profile's name that is a secret is not suggested", async () => {
  const rc = { profiles: { [token]: { token }, work: { token: "another-token" } } };
  const config = ["test", "--config", join(folderWith({ "rc.json": rc }), "rc.json"), "--profile"];
  const near = await runInProcess([...config, token.slice(1)]);
  expect(near.exitCode).toBe(3);
  expect(near.stderr).toContain("The file has: work, and 1 more");
});

test("the library's result holds no swapped secret either", async () => {
  const { url } = await refusing();
  const result = await checkCredentials({ baseUrl: url, credential: { method: "wsse", ...swapped } });
  expect(result.outcome.kind).toBe("rejected");
  expect(leaks(JSON.stringify(result))).toEqual([]);
});

// What a token can look like: one word, with slashes as base64 has them, a path's beginning, a JWT, too long for a path.
const likePaths = [
  ...[token, `${secret}/${token}+a==`, `/${secret}`, `./${secret}.txt`, `${secret}.eyJzdWIiOiIx.${token}`],
  ...[`${secret} with spaces`, secret.repeat(200)],
];
test.each([
  ["--token-file", "REFERRAL_TOKEN_FILE", 0, {}],
  ["--secret-file", "REFERRAL_SECRET_FILE", 0, { REFERRAL_USERNAME: "me@example.com" }],
  ["--ca-cert", "REFERRAL_CA_CERT", 0, { REFERRAL_TOKEN: "a-token" }],
  ["--config", "REFERRAL_CONFIG", 3, {}],
])("a secret where the path of %s or %s belongs is not shown", async (flag, variable, ofConfig, more) => {
  const environment = { REFERRAL_BASE_URL: "https://api.invalid", ...more };
  for (const text of likePaths) {
    const tested = await runInProcess(["test", "--json", flag, text], { environment });
    const shown = await runInProcess(["config"], { environment: { ...environment, [variable]: text } });
    expect([tested.exitCode, shown.exitCode]).toEqual([3, ofConfig]);
  }
});

test("a path that exists is shown", async () => {
  const workingFolder = folderWith({ "secrets/token.txt": "t" });
  const config = await runInProcess(["config", "--token-file", "secrets/token.txt"], { workingFolder });
  expect(config.stdout).toMatch(/^tokenFile +secrets\/token\.txt/m);
});

// test/properties/escape.test.ts has the rule, test/report what a server wrote.
test.each([
  [0, "timeout: 5\n"],
  [3, "timeout: x\n"],
])("config, with exit code %i, escapes the name of the rc file's folder", async (exitCode, text) => {
  const hostile = "a\u001b[31m\u009b\u202e::error::##vso[x]\nb";
  const workingFolder = folderWith({ [`${hostile}/rc.yaml`]: text });
  const run = await runInProcess(["config", "--config", `${hostile}/rc.yaml`], { workingFolder });
  expect(run.exitCode, run.everything).toBe(exitCode);
  expect(run.everything).toContain("\\u{1b}");
  expect(run.everything).not.toMatch(/[^\n\x20-\x7e…]|::error|##vso/);
});
