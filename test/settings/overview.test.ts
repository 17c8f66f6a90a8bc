import { join } from "node:path";
import { expect, test } from "vitest";
import { emulate } from "../support/emulate.ts";
import { folderWith } from "../support/folder.ts";
import { planted } from "../support/planted.ts";
import { emptyFolder, runInProcess } from "../support/run.ts";

const token = "0123456789abcdef0123456789abcdef01234567";
const proxy = `http://user:${planted.secret}@proxy.example:3128`;

/** What runs of `config` print: an rc file in the home folder, or found in the working tree; arguments; and variables. */
const printed: Readonly<
  Record<string, readonly [object, "yours" | "found", string, Record<string, string>?]>
> = {
  "every setting": [
    { baseUrl: "https://api.example/v1", token, secretFile: "missing", profiles: { p: {}, q: {} } },
    "yours",
    "",
    { REFERRAL_BASE_URL: "https://other.example", REFERRAL_TIMEOUT: "", REFERRAL_USERNAME: "me@example.com" },
  ],
  "a flag, which hides others, an invalid setting and a credential that is one": [
    { baseUrl: "https://api.example", token: " a-token", timeout: 6 },
    "yours",
    "--timeout 5",
    { REFERRAL_RETRY: planted.secret },
  ],
  "a profile with a credential of its own, beside one that a flag would select": [
    { baseUrl: "https://api.example", token, profiles: { p: { username: "me@example.com", timeout: 0 } } },
    "yours",
    "--profile p",
    { REFERRAL_TOKEN: token },
  ],
  "an rc file that is not yours": [
    { baseUrl: "https://foreign.example", secret: "x", tokenFile: "token", digest: "hex-digest" },
    "found",
    "",
    { REFERRAL_USERNAME: "me@example.com" },
  ],
  "a proxy of the environment, which hides none of the other scheme, and certificates, which hide those for Node":
    [
      { baseUrl: "https://api.example" },
      "yours",
      "",
      {
        https_proxy: proxy,
        HTTPS_PROXY: proxy,
        HTTP_PROXY: proxy,
        REFERRAL_CA_CERT: "a",
        NODE_EXTRA_CA_CERTS: "b",
      },
    ],
  "what is unusual in a credential, and empty variables": [
    {},
    "yours",
    "",
    { REFERRAL_TOKEN: "abcdef\\n", REFERRAL_SECRET: "a\nb", HTTPS_PROXY: "", REFERRAL_USERNAME: "" },
  ],
  "no length of standard input or of a command": [{ secretCommand: ["false"] }, "yours", "--token-file -"],
  "username and secret swapped": [{ username: "a-passphrase", secret: "me@example.com" }, "yours", ""],
  "a line for each profile": [
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

// The text is changed with `npx vitest run test/settings --update`, and read as a diff.
test("all that config prints is the text beside this test", async () => {
  const texts: string[] = [];
  for (const title of Object.keys(printed)) {
    const { exitCode, text } = await ofRow(title);
    // The first one shows the lines of what is not set.
    const shown = texts.length === 0 ? text : text.replace(/^\w+ +\S+ +(?:default|not set)\n(?! )/gm, "");
    // A file has one spelling, and a mistake is said once.
    expect(text.replace(/^ +try .*$/gm, "")).not.toMatch(/FOLDER\/\.referralrc|^ +invalid (.*)$[\s\S]*\1/m);
    texts.push(`# ${title}: exit code ${exitCode}\n${shown}`);
  }
  await expect(texts.join("\n")).toMatchFileSnapshot("overview.txt");
});

test("config --json says the same", async () => {
  const travel = { name: "tokenFile", mayTravel: false, reason: "No base URL is set" };
  expect(
    JSON.parse((await ofRow("no length of standard input or of a command", "--json")).text),
  ).toMatchObject({
    ...{ ok: true, exitCode: 0, rc: { file: "FOLDER/.referralrc", trust: "yours" } },
    credentials: [travel],
  });
  const all = JSON.parse((await ofRow("every setting", "--json")).text);
  expect(all.settings[0]).toEqual({
    ...{ name: "baseUrl", value: "https://other.example", problem: null, note: null },
    source: { kind: "environment", variable: "REFERRAL_BASE_URL" },
    hides: [{ kind: "rc", file: "FOLDER/.referralrc", line: 2, key: "baseUrl", trust: "yours" }],
  });
  const { exitCode, profiles } = JSON.parse((await ofRow("a line for each profile", "--json")).text);
  expect([exitCode, profiles.map(({ profile }: { profile: string }) => profile)]).toEqual([
    3,
    ["live", "stag\u001bing", "empty", "wrong", "lost", "twice"],
  ]);
  expect(profiles.at(-1).refusal.message).toMatch(/ set the same thing$/);
});

test("config shows the folders that were searched where no rc file is used, and variables that are no settings", async () => {
  const environment = { REFERRAL_TOKN: planted.token, REFERRAL_OTHER: "x" };
  const folders = [emptyFolder, join(emptyFolder, ".config", "referral")];
  const { document, stdout } = await runInProcess(["config", "--json"], { environment });
  expect(document.searchedFolders).toEqual(expect.arrayContaining(folders));
  expect(document.unknownVariables).toEqual([
    { name: "REFERRAL_TOKN", meant: "REFERRAL_TOKEN" },
    { name: "REFERRAL_OTHER", meant: null },
  ]);
  expect(stdout).not.toContain(planted.token);
  const text = await runInProcess(["config"], { environment });
  for (const folder of folders) expect(text.stdout).toContain(`searched ${folder}\n`);
  expect(text.stdout).toContain("REFERRAL_TOKN is set and is no setting (did you mean REFERRAL_TOKEN?)");
  const workingFolder = folderWith({ rc: {} });
  for (const words of [["--config", join(workingFolder, "rc")], ["--no-config"]])
    expect((await runInProcess(["config", "--json", ...words])).document.searchedFolders).toEqual([]);
});

// Where `config` says that a part will be used, `test` sends it, and where it says not, `test` exits with 3.
test.each<readonly [Record<string, string>, string | null]>([
  [{}, null],
  [{ REFERRAL_USERNAME: "" }, "No username is set"],
  [{ REFERRAL_BASE_URL: "http://192.0.2.1" }, "uses http:// for a host that is not a loopback address"],
  [{ REFERRAL_TIMEOUT: "x" }, "is not a number"],
  [{ REFERRAL_SECRET: "", REFERRAL_SECRET_FILE: "file" }, "has a space (U+0020) as its last character"],
])("with %j config withholds the secret, as test does: %s", async (changes, reason) => {
  const { url } = await emulate();
  const { username, secret } = planted;
  const own = { REFERRAL_BASE_URL: url, REFERRAL_USERNAME: username, REFERRAL_SECRET: secret };
  const given = { environment: { ...own, ...changes }, workingFolder: folderWith({ file: "x " }) };
  const { document } = await runInProcess(["config", "--json"], given);
  const of = document.credentials as ReadonlyArray<{ name: string; reason: string | null }>;
  const row = of.find(({ name }) => name.startsWith("secret"));
  expect(row?.reason ?? null).toEqual(reason === null ? null : expect.stringContaining(reason));
  const { exitCode } = await runInProcess(["test", "--quiet"], given);
  expect(exitCode).toBe(reason === null ? 0 : 3);
});
