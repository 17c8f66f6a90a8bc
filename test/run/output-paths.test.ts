import { linkSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { rcOf } from "../e2e/profiles.ts";
import { emulate } from "../support/emulate.ts";
import { folderWith } from "../support/folder.ts";
import { planted } from "../support/planted.ts";
import { runInProcess } from "../support/run.ts";

const { token } = planted;
const content = "an input";

/** What a run is given besides its outputs. */
interface Inputs {
  readonly args?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly rc?: object | string;
}

/** A folder with a file `input` and links to it, and what runs `test` there. `{}` in a text is the folder. */
async function place({ args = [], environment = {}, rc }: Inputs) {
  const api = await emulate();
  const own = rc ?? rcOf(api.url, { only: { token } });
  const folder = folderWith({ input: content, ".referralrc": own, other: "old" });
  symlinkSync(".", join(folder, "folder"));
  symlinkSync("input", join(folder, "link"));
  linkSync(join(folder, "input"), join(folder, "hard"));
  const filled = (text: string): string => text.replaceAll("{}", folder);
  const run = (more: readonly string[], variables: Readonly<Record<string, string>> = {}) => {
    const all = Object.entries({ ...environment, ...variables }).map(([name, text]) => [name, filled(text)]);
    return runInProcess(["test", ...args, ...more].map(filled), {
      workingFolder: folder,
      homeFolder: folder,
      environment: Object.fromEntries(all),
    });
  };
  return { api, run, read: (name: string) => readFileSync(join(folder, name), "utf8") };
}

const job = { GITHUB_ACTIONS: "true" };
const noRc = "{}";

/** Every way to name a file that a run reads, and the name of that in the error. */
const inputs: ReadonlyArray<readonly [name: string, Inputs]> = [
  ...["accounts", "token-file", "secret-file", "ca-cert"].map(
    (flag) => [`--${flag}`, { args: [`--${flag}`, "input"], rc: noRc }] as const,
  ),
  ...["TOKEN_FILE", "SECRET_FILE", "CA_CERT"].map(
    (name) => [`REFERRAL_${name}`, { environment: { [`REFERRAL_${name}`]: "input" }, rc: noRc }] as const,
  ),
  ["NODE_EXTRA_CA_CERTS", { environment: { NODE_EXTRA_CA_CERTS: "{}/input" } }],
  ["SSL_CERT_FILE", { environment: { SSL_CERT_FILE: "{}/input" } }],
  ["The rc file", { args: ["--config", "input"] }],
  ["The rc file", { environment: { REFERRAL_CONFIG: "input" } }],
  ["tokenFile in {}/.referralrc, line 1", { rc: { tokenFile: "input" } }],
  ["caCert in {}/.referralrc, line 1", { rc: { baseUrl: "http://127.0.0.1:1", caCert: "input" } }],
  // It does not count, and its file is worth as much.
  [
    "secretFile in {}/.referralrc, line 1",
    { args: ["--token", token], rc: { profiles: { p: { secretFile: "input" } } } },
  ],
];

describe("no output replaces an input, and nothing is sent:", () => {
  test.each(inputs)("%s, %j", async (name, given) => {
    const { api, run, read } = await place(given);
    for (const [output, more, variables] of [
      ["--junit", ["--junit", "./input"], {}],
      ["--metrics", ["--metrics", "folder/input"], {}],
      ["GITHUB_STEP_SUMMARY", [], { ...job, GITHUB_STEP_SUMMARY: "{}/input" }],
      ["--junit", ["--junit", "link"], {}],
      ["--metrics", ["--metrics", "hard"], {}],
    ] as const) {
      const { exitCode, stdout, stderr } = await run(more, variables);
      expect([exitCode, stdout]).toEqual([2, ""]);
      const found = stderr.replace(/\/\S*(?=\/\.referralrc)/, "{}");
      expect(found).toContain(`Error: ${name} and ${output} are the same file\n`);
    }
    expect([api.log, read("input")]).toEqual([[], content]);
  });

  test.each([{ token: content }, "{ broken"])(
    "the rc file that was found, whatever it holds: %j",
    async (rc) => {
      const { run, read } = await place({ rc });
      const before = read(".referralrc");
      const { exitCode, stderr } = await run(["--all", "--junit", "folder/.referralrc"]);
      expect([exitCode, read(".referralrc")]).toEqual([2, before]);
      expect(stderr).toMatch(/^Error: The rc file and --junit are the same file\n/);
    },
  );
});

describe("no two outputs are one file:", () => {
  test.each([
    ["the same words", "report", "report"],
    ["another spelling", "./folder/../report", "report"],
    ["an absolute path", "{}/report", "report"],
    ["a folder that is a link", "folder/new", "new"],
    ["a link to a file", "link", "input"],
    ["two names of a file", "hard", "input"],
    ["a folder that does not exist yet", "a/b", "./a/b"],
  ])("%s", async (_, one, other) => {
    const { api, run } = await place({});
    for (const [first, second, variables] of [
      [["--junit", one], ["--metrics", other], {}],
      [["--junit", other], ["--metrics", one], {}],
      [["--junit", one], [], { ...job, GITHUB_STEP_SUMMARY: `{}/${other}` }],
    ] as const) {
      const { exitCode, stderr } = await run(["--all", ...first, ...second], variables);
      expect(exitCode).toBe(2);
      expect(stderr).toMatch(/^Error: --junit and (?:--metrics|GITHUB_STEP_SUMMARY) are the same file\n/);
    }
    expect(api.log).toEqual([]);
  });
});

test("other files are written, beside inputs too, and one device takes two reports", async () => {
  const { api, run, read } = await place({});
  const variables = { ...job, GITHUB_STEP_SUMMARY: "{}/other", REFERRAL_CA_CERT: "" };
  const { exitCode, stderr } = await run(["--all", "--junit", "input.xml", "--metrics", "new"], variables);
  expect([exitCode, stderr, api.log.length]).toEqual([0, "", 1]);
  expect([read("other").slice(0, 6), read("input.xml").slice(0, 5)]).toEqual(["old###", "<?xml"]);
  expect(await run(["--all", "--junit", "/dev/null", "--metrics", "/dev/null"])).toMatchObject({
    exitCode: 0,
  });
});
