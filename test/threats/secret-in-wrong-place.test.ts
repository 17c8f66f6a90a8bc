import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { checkCredentials } from "../../src/index.ts";
import { folderWith } from "../support/folder.ts";
import { leaks, planted } from "../support/planted.ts";
import { runInProcess } from "../support/run.ts";
import { json, serve } from "../support/serve.ts";

// What a mistake makes of a secret: it stands where a text belongs that is shown. `#` is the URL of the server.
const { secret, token } = planted;
const swapped = { username: secret, secret: "me@example.com" };
const account = { username: "me@example.com", secret };
const places: Readonly<Record<string, object>> = {
  "username and secret swapped": swapped,
  "username and secret swapped, the latter in a file": { username: secret, secretFile: "address.txt" },
  "the secret as the username": { ...account, username: secret },
  "the secret within the username": { ...account, username: `x-${secret}@example.com` },
  "the secret within the username, in capitals": { ...account, username: secret.toUpperCase() },
  "the token as the username": { ...account, token, username: token },
  "the token in the path of the base URL": { token, baseUrl: `#/v1/${token}/x` },
  "the token in the path of the base URL, encoded": {
    token,
    baseUrl: `#/v1/${token.replace(/./g, (unit) => `%${unit.charCodeAt(0).toString(16)}`)}`,
  },
  "the token in base64 in the path of the base URL": {
    token,
    baseUrl: `#/v1/${Buffer.from(token).toString("base64url")}`,
  },
  "the token in the path, of an account that WSSE checks": { ...account, token, baseUrl: `#/${token}` },
  "the token as the host of the base URL": { token, baseUrl: `https://${token}.invalid` },
  "the token as the host of the proxy": {
    token,
    baseUrl: "https://api.invalid",
    proxy: `http://${token}.invalid`,
  },
  "the token as the password of the proxy": {
    token,
    baseUrl: "https://api.invalid",
    proxy: `http://me:${token}@127.0.0.1:9`,
  },
};

const outputs = [
  ...["test", "test --json", "test --verbose --retry 1", "test --diagnose", "test --wsse", "test --all"],
  ...["test --all --json", "config", "config --json"],
];

/** Runs the program on an rc file with this account in each of the outputs; gives all that it wrote. */
async function everythingShown(rc: object, folder: string, args: readonly string[]): Promise<string> {
  const summary = join(folder, "summary.md");
  const junit = join(folder, "junit.xml");
  const isTest = args[0] === "test";
  const run = await runInProcess(
    [...args, "--config", join(folder, "rc.json"), ...(isTest ? ["--junit", junit] : [])],
    { environment: { GITHUB_ACTIONS: "true", GITHUB_STEP_SUMMARY: summary } },
  );
  expect([0, 3, 4, 6, 7], run.everything).toContain(run.exitCode);
  expect(run.everything).not.toBe("");
  const read = (path: string): string => {
    try {
      return readFileSync(path, "utf8");
    } catch {
      return "";
    }
  };
  return [run.everything, read(junit), read(summary), JSON.stringify(rc).length].join("\n");
}

describe.each(Object.entries(places))("%s is shown", (_, place) => {
  test.each(outputs)("nowhere by %s", async (output) => {
    const args = output.split(" ");
    const api = await serve((_request, response) => json(response, 401, { code: 401, message: "No" }));
    const written = JSON.stringify({ baseUrl: "#", ...place }).replaceAll("#", api.url);
    const values = JSON.parse(written);
    const rc = args.includes("--all")
      ? { profiles: { [`of ${secret}`]: { ...values, ...account }, [token]: { ...values, token } } }
      : values;
    const folder = folderWith({ "rc.json": rc, "address.txt": "me@example.com\n" });
    const shown = await everythingShown(rc, folder, args);
    const decoded = shown.replace(/(?:%[0-9a-f]{2})+/gi, decodeURIComponent);
    for (const text of [shown, shown.toLowerCase(), decoded]) {
      expect(leaks(text, [secret, secret.toLowerCase(), token])).toEqual([]);
    }
  });
});

test("text that is not secret is shown: a correct username, the path and the profile", async () => {
  const api = await serve((_request, response) => json(response, 401, { code: 401, message: "No" }));
  const rc = { profiles: { live: { ...account, baseUrl: `${api.url}/v1` } } };
  const folder = folderWith({ "rc.json": rc });
  const shown = await everythingShown(rc, folder, ["test", "--json", "--profile", "live"]);
  expect(shown).toContain('"profile": "live"');
  expect(shown).toContain("/v1/test-authentication");
  expect(shown).toContain('"credential": "me@example.com, the secret ');
});

test("a profile's name that is a secret is neither suggested nor completed", async () => {
  const rc = { profiles: { [token]: { token }, work: { token: "another-token" } } };
  const config = join(folderWith({ "rc.json": rc }), "rc.json");
  const near = await runInProcess(["test", "--config", config, "--profile", token.slice(1)]);
  expect(near.exitCode).toBe(3);
  const question = ["completion", "fish", "--", "test", "--config", config, "--profile", ""];
  const completed = await runInProcess(question);
  expect(completed.stdout).toBe("words\nwork\t\n");
  expect(leaks(near.everything + completed.everything)).toEqual([]);
});

test("the library's result holds no swapped secret either", async () => {
  const api = await serve((_request, response) => json(response, 401, { code: 401, message: "No" }));
  const result = await checkCredentials({ baseUrl: api.url, credential: { method: "wsse", ...swapped } });
  expect(result.outcome.kind).toBe("rejected");
  expect(leaks(JSON.stringify(result))).toEqual([]);
});
