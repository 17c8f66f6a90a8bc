import { join } from "node:path";
import { expect, test } from "vitest";
import { folderWith } from "../support/folder.ts";
import { type GivenInProcess, runInProcess } from "../support/run.ts";

const password = "planted-password-of-a-proxy";
const proxy = `http://user:${password}@proxy.example:3128`;

/** What `config` shows of a setting, in both of its forms. */
async function shown(name: string, args: readonly string[], given: GivenInProcess = {}) {
  const run = { homeFolder: folderWith({ ".referralrc": "{}" }), ...given };
  const text = await runInProcess(["config", ...args], run);
  const json = await runInProcess(["config", "--json", ...args], run);
  expect(text.everything + json.everything).not.toContain(password);
  expect(json.exitCode).toBe(text.exitCode);
  const row = JSON.parse(json.stdout).settings.find((one: { name: string }) => one.name === name);
  if (row.note !== null) expect(text.stdout).toContain(`note ${row.note}`);
  return { exitCode: json.exitCode, row };
}

test.each([
  ["p.example.com:3128", "http://p.example.com:3128/"],
  ["https://p.example.com:3128", "https://p.example.com:3128/"],
  [proxy, "http://[secret]@proxy.example:3128/"],
  ["http://user@p.example.com", "http://[secret]@p.example.com/"],
  ["http://:pass@p.example.com", "http://[secret]@p.example.com/"],
])("the proxy %s is shown as %s", async (text, value) => {
  for (const [baseUrl, exitCode] of [
    ["", 0],
    ["--base-url=https://api.example", 0],
    ["--base-url=api", 3],
  ] as const)
    expect(await shown("proxy", [...(baseUrl === "" ? [] : [baseUrl]), "--proxy", text])).toMatchObject({
      exitCode,
      row: { value, source: { kind: "flag" }, problem: null },
    });
});

test.each([
  [`ftp://user:${password}@proxy.example`, "--proxy does not begin with https:// or http://"],
  [`http://user:123/${password}@proxy.example`, "--proxy has an @ behind a /"],
])("a proxy that is no URL is invalid whatever the base URL is, and not shown: %s", async (text, problem) => {
  expect(await shown("proxy", ["--proxy", text])).toMatchObject({
    exitCode: 3,
    row: { value: "[invalid]", problem: expect.stringContaining(problem) },
  });
});

test.each([
  ["caCert", { REFERRAL_CA_CERT: "a", NODE_EXTRA_CA_CERTS: "b" }, ["NODE_EXTRA_CA_CERTS"]],
  ["caCert", { REFERRAL_CA_CERT: "", NODE_EXTRA_CA_CERTS: "b" }, []],
  ["proxy", { https_proxy: proxy, HTTPS_PROXY: proxy, HTTP_PROXY: proxy }, ["HTTPS_PROXY"]],
  ["proxy", { HTTPS_PROXY: proxy, http_proxy: proxy }, []],
])("%s with the variables %j hides %j", async (name, environment, hidden) => {
  const { row } = await shown(name, ["--base-url", "https://api.example"], { environment });
  expect(row.hides).toEqual(hidden.map((variable) => ({ kind: "environment", variable })));
});

test("a value shows what it hides, and its default where nothing sets it", async () => {
  const homeFolder = folderWith({ ".referralrc": "proxy: http://other.example:3128\n" });
  const { row } = await shown("proxy", ["--base-url", "https://api.example", "--proxy", proxy], {
    homeFolder,
  });
  expect(row.hides).toMatchObject([{ kind: "rc", line: 1, key: "proxy" }]);
  expect((await shown("timeout", [])).row).toMatchObject({
    value: "10",
    source: { kind: "default" },
    hides: [],
    note: null,
  });
});

const token = "0123456789abcdef0123456789abcdef01234567";

test.each([
  [{ REFERRAL_TOKEN: token }, "40 characters, the last four are 4567"],
  [{ REFERRAL_TOKEN: token.slice(1) }, "39 characters"],
  [{ REFERRAL_TOKEN: "abcdef\\n" }, "8 characters; the token contains \\n, written as two characters"],
  [{ REFERRAL_TOKEN: "" }, "REFERRAL_TOKEN is set and empty"],
  [{}, null],
])("a token is not shown, but what helps to compare it: %j", async (environment, note) => {
  expect((await shown("token", [], { environment })).row.note).toBe(note);
});

test("the same is shown of a file and of the secret, and of no command and no standard input", async () => {
  const folder = folderWith({ token: `${token}\n`, ".referralrc": { secretCommand: ["false"] } });
  const file = await shown("tokenFile", ["--token-file", join(folder, "token")]);
  expect(file.row.note).toBe("40 characters, the last four are 4567");
  expect((await shown("secret", [], { environment: { REFERRAL_SECRET: "a\nb" } })).row.note).toBe(
    "3 characters; the secret has 2 lines",
  );
  expect((await shown("secretCommand", [], { homeFolder: folder })).row.note).toBeNull();
  expect((await shown("tokenFile", ["--token-file", "-"])).row.note).toBeNull();
});

test("a variable that is set and empty is named for every setting", async () => {
  const environment = { REFERRAL_TIMEOUT: "", HTTPS_PROXY: "" };
  expect((await shown("timeout", [], { environment })).row.note).toBe("REFERRAL_TIMEOUT is set and empty");
  expect((await shown("proxy", [], { environment })).row.note).toBe("HTTPS_PROXY is set and empty");
});
