import { join } from "node:path";
import { expect, test } from "vitest";
import { folderWith } from "../support/folder.ts";
import { planted } from "../support/planted.ts";
import { type GivenInProcess, runInProcess } from "../support/run.ts";

const password = "planted-password-of-a-proxy";
const proxy = `http://user:${password}@proxy.example:3128`;
const homeWith = (rc: unknown): GivenInProcess => ({ homeFolder: folderWith({ ".referralrc": rc }) });

/** What `config` shows of a setting, in both of its forms. */
async function shown(name: string, args: readonly string[], given: GivenInProcess = {}) {
  const run = { ...homeWith({}), ...given };
  const text = await runInProcess(["config", ...args], run);
  const json = await runInProcess(["config", "--json", ...args], run);
  expect(text.everything + json.everything).not.toContain(password);
  expect(json.exitCode).toBe(text.exitCode);
  const row = JSON.parse(json.stdout).settings.find((one: { name: string }) => one.name === name);
  if (row.note !== null) expect(text.stdout).toContain(`note ${row.note}`);
  return { exitCode: json.exitCode, row };
}

test.each([
  ["p.example.com:3128", "http://p.example.com:3128/", null],
  ["https://p.example.com:3128", "https://p.example.com:3128/", null],
  [proxy, "http://[secret]@proxy.example:3128/", null],
  ["http://user@p.example.com", "http://[secret]@p.example.com/", null],
  ["http://:pass@p.example.com", "http://[secret]@p.example.com/", null],
  [`ftp://user:${password}@proxy.example`, "[invalid]", "--proxy does not begin with https:// or http://"],
  [`http://user:123/${password}@proxy.example`, "[invalid]", "--proxy has an @ behind a /"],
])("the proxy %s is shown as %s, whatever the base URL is", async (text, value, problem) => {
  const row = { value, source: { kind: "flag" }, problem: problem && expect.stringContaining(problem) };
  for (const baseUrl of [[], ["--base-url=https://api.example"], ["--base-url=api"]]) {
    const exitCode = problem === null && !baseUrl.includes("--base-url=api") ? 0 : 3;
    expect(await shown("proxy", [...baseUrl, "--proxy", text])).toMatchObject({ exitCode, row });
  }
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
  const args = ["--base-url", "https://api.example", "--proxy", proxy];
  const { row } = await shown("proxy", args, homeWith("proxy: http://other.example:3128\n"));
  expect(row.hides).toMatchObject([{ kind: "rc", line: 1, key: "proxy" }]);
  const unset = { value: "10", source: { kind: "default" }, hides: [], note: null };
  expect((await shown("timeout", [])).row).toMatchObject(unset);
});

const token = "0123456789abcdef0123456789abcdef01234567";
const lastFour = "40 characters, the last four are 4567";
const pasted = "8 characters; the token contains \\n, written as two characters";

test.each([
  ["token", { REFERRAL_TOKEN: token }, lastFour],
  ["token", { REFERRAL_TOKEN: `${token}0` }, "41 characters"],
  ["token", { REFERRAL_TOKEN: `x${token}` }, "41 characters"],
  ["token", { REFERRAL_TOKEN: "abcdef\\n" }, pasted],
  ["token", { REFERRAL_TOKEN: "" }, "REFERRAL_TOKEN is set and empty"],
  ["token", {}, null],
  ["secret", { REFERRAL_SECRET: "a\nb" }, "3 characters; the secret has 2 lines"],
  ["tokenFile", { REFERRAL_TOKEN_FILE: "-" }, null],
  ["timeout", { REFERRAL_TIMEOUT: "" }, "REFERRAL_TIMEOUT is set and empty"],
  ["proxy", { HTTPS_PROXY: "" }, "HTTPS_PROXY is set and empty"],
])("the note of %s with the variables %j helps to compare it and does not show it", async (...row) => {
  const [name, environment, note] = row;
  expect((await shown(name, [], { environment })).row.note).toBe(note);
});

test("the note of a file is that of its content, and a command has none", async () => {
  const folder = folderWith({ token: `${token}\n` });
  const file = await shown("tokenFile", ["--token-file", join(folder, "token")]);
  expect(file.row).toMatchObject({ value: join(folder, "token"), note: lastFour });
  expect((await shown("tokenFile", ["--token-file", "-"])).row.value).toBe("-");
  const command = await shown("secretCommand", [], homeWith({ secretCommand: ["false"] }));
  expect(command.row.note).toBeNull();
});

test("a note says that a variable is not used", async () => {
  const given = { ...homeWith({ retry: 2, profiles: { p: {} } }), environment: { REFERRAL_TOKEN: token } };
  const unused = "REFERRAL_TOKEN is set and not used, because a profile is chosen";
  expect((await shown("token", ["--profile", "p"], given)).row.note).toBe(unused);
  expect((await shown("retry", [], given)).row.note).toBeNull();
});

test.each([
  ["username", { username: "a-passphrase", secret: "me@example.com" }, "[secret]"],
  ["username", { username: "me@example.com", secret: "a-passphrase" }, "me@example.com"],
  ["baseUrl", { baseUrl: "https://api.example", token: "http" }, "https://api.example"],
  ["baseUrl", { baseUrl: "https://\u0430pi.example", token: "a" }, "https://xn--pi-6kc.example"],
  ["baseUrl", { baseUrl: "https://api.example/a-token", token: "a-token" }, "https://api.example/[secret]"],
])("%s of %j reads %s", async (name, given, value) => {
  expect((await shown(name, [], homeWith(given))).row.value).toBe(value);
});

/** What runs of `config` print: an rc file in the home folder, or found in the working tree; arguments; and variables. */
const printed: Readonly<
  Record<string, readonly [object, "yours" | "found", string, Record<string, string>?]>
> = {
  "every setting, its place and what it hides; an empty variable, a file that is missing": [
    { baseUrl: "https://api.example/v1", token, secretFile: "missing", profiles: { p: {}, q: {} } },
    "yours",
    "",
    { REFERRAL_BASE_URL: "https://other.example", REFERRAL_TIMEOUT: "", REFERRAL_USERNAME: "me@example.com" },
  ],
  "a flag, an invalid setting and a credential that is one": [
    { baseUrl: "https://api.example", token: " a-token" },
    "yours",
    "--timeout 5",
    { REFERRAL_RETRY: planted.secret },
  ],
  "without a base URL": [{ token }, "yours", ""],
  "a profile with a credential of its own, beside one that a flag would select": [
    { baseUrl: "https://api.example", token, profiles: { p: { username: "me@example.com", timeout: 0 } } },
    "yours",
    "--profile p",
  ],
  "an rc file that is not yours": [
    { baseUrl: "https://foreign.example", secret: "x", tokenFile: "token", digest: "hex-digest" },
    "found",
    "",
    { REFERRAL_USERNAME: "me@example.com" },
  ],
  "no rc file": [{ token }, "found", "--no-config"],
  "a line for each profile, also for one that contradicts itself": [
    {
      baseUrl: "https://api.example",
      profiles: {
        live: { token: planted.token },
        "stag\u001bing": {
          baseUrl: "https://staging.example/v1",
          username: "a@example.com",
          secret: planted.secret,
        },
        empty: {},
        wrong: { token: planted.token, timeout: 0 },
        lost: { tokenFile: "missing" },
        twice: { token: "abc", tokenFile: "x" },
      },
    },
    "yours",
    "--all",
  ],
  "what a list withholds": [
    { baseUrl: "https://foreign.example", profiles: { p: {}, q: { token: planted.secret } } },
    "found",
    "--all --token-file token",
  ],
};

/** Runs `config` as a row says. In what it prints, FOLDER is the folder of the rc file. */
async function ofRow(title: string, ...more: readonly string[]) {
  const [rc = {}, trust, words = "", environment = {}] = printed[title] ?? [];
  const folder = folderWith({ ".referralrc": JSON.stringify(rc, null, 1), token });
  const place = trust === "yours" ? { homeFolder: folder } : { workingFolder: folder };
  const args = words.split(" ").filter((word) => word !== "");
  const run = await runInProcess(["config", ...args, ...more], { ...place, environment });
  expect(run.stderr).toBe("");
  const text = run.stdout.replaceAll(folder, "FOLDER");
  return { ...run, text };
}

// The text is changed with `npx vitest run test/settings/overview.test.ts --update`, and read as a diff.
test("all that config prints is the text beside this test", async () => {
  const texts: string[] = [];
  for (const title of Object.keys(printed)) {
    const { exitCode, text } = await ofRow(title);
    // The first one shows the lines of what is not set.
    const shown = texts.length === 0 ? text : text.replace(/^\w+ +\S+ +(?:default|not set)\n/gm, "");
    texts.push(`# ${title}: exit code ${exitCode}\n${shown}`);
  }
  await expect(texts.join("\n")).toMatchFileSnapshot("overview.txt");
});

test("config --json says the same", async () => {
  const travel = { name: "token", mayTravel: false, reason: "No base URL is set" };
  expect(JSON.parse((await ofRow("without a base URL", "--json")).text)).toMatchObject({
    ...{ ok: true, exitCode: 0, rc: { file: "FOLDER/.referralrc", trust: "yours" } },
    credentials: [travel],
  });
  const foreign = JSON.parse((await ofRow("an rc file that is not yours", "--json")).text);
  const reason = expect.stringContaining("REFERRAL_USERNAME is yours");
  expect(foreign.rc).toMatchObject({ trust: "found" });
  expect(foreign.credentials).toContainEqual(
    expect.objectContaining({ name: "username", mayTravel: false, reason }),
  );
  const list = Object.keys(printed).find((title) => title.startsWith("a line")) ?? "";
  const { exitCode, profiles } = JSON.parse((await ofRow(list, "--json")).text);
  expect([exitCode, profiles.map(({ profile }: { profile: string }) => profile)]).toEqual([
    3,
    ["live", "stag\u001bing", "empty", "wrong", "lost", "twice"],
  ]);
  expect(profiles.at(-1).problem).toMatch(/ set the same thing$/);
});

test.each([["test"], ["config"], ["header", "--wsse"]])("%s warns on standard error", async (...args) => {
  const credential = ["--username", "me@example.com", "--secret", planted.secret];
  const { stderr } = await runInProcess([...args, ...credential]);
  expect(stderr).toContain("--secret on the command line can be seen in process lists");
});
