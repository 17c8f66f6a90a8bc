import { execFileSync } from "node:child_process";
import { readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { api } from "../faults/authority.ts";
import { started } from "../support/child.ts";
import { folderWith } from "../support/folder.ts";
import { leaks, planted } from "../support/planted.ts";
import { childHome, childNode, emptyFolder, launcher, runAsChild, runInProcess } from "../support/run.ts";
import { serve, serveAlways } from "../support/serve.ts";

const token = { REFERRAL_TOKEN: planted.token };

test("NODE_TLS_REJECT_UNAUTHORIZED does not switch verification off, even if it is set when the connection is made", async () => {
  const { url, requests } = await api();
  const environment = { ...token, REFERRAL_BASE_URL: url, NODE_TLS_REJECT_UNAUTHORIZED: "0" };
  vi.stubEnv("NODE_TLS_REJECT_UNAUTHORIZED", "0");
  onTestFinished(() => void vi.unstubAllEnvs());
  for (const run of [runAsChild, runInProcess])
    expect((await run(["test"], { environment })).exitCode).toBe(7);
  expect(requests()).toBe(0);
});

// Node prints these texts, but the program must not let a secret into them.
test.each([
  [0, 200, []],
  [4, 401, []],
  [2, 200, [`--tokenn=${planted.secret}`]],
])("no debugging variable shows a secret: exit %i", async (exitCode, status, args) => {
  const NODE_OPTIONS = "--trace-warnings --trace-uncaught --trace-exit --enable-source-maps";
  const wsse = { REFERRAL_USERNAME: planted.username, REFERRAL_SECRET: planted.secret };
  const REFERRAL_BASE_URL = (await serveAlways(status)).url;
  const environment = { ...token, ...wsse, REFERRAL_BASE_URL, NODE_OPTIONS, NODE_DEBUG: "*", DEBUG: "*" };
  const run = await runAsChild(["test", ...args], { environment });
  expect(run.exitCode, run.everything).toBe(exitCode);
  expect(run.stderr).toContain("launch.cjs");
});

test.each(["LOG_TOKENS", "LOG_STREAM"])(
  "%s, which the YAML parser knows, prints nothing of an rc file",
  async (name) => {
    const homeFolder = folderWith({ ".referralrc": `token: ${planted.token}\n` });
    const run = await runAsChild(["config"], { environment: { [name]: "1" }, homeFolder });
    expect(run.exitCode, run.everything).toBe(0);
  },
);

test("while a request is under way, the process list does not hold a secret of the command line", async () => {
  let shown = "";
  // The server stays silent, so that the program waits.
  const { url } = await serve(() => {
    const ps = () => execFileSync("ps", ["-ww", "-o", "command=", "-p", String(child.pid)]);
    shown = String(process.platform === "linux" ? readFileSync(`/proc/${child.pid}/cmdline`) : ps());
    child.kill("SIGTERM");
  });
  const secrets = ["--token", planted.token, "--username", planted.username, `--secret=${planted.secret}`];
  const words = [childNode, launcher, "test", "--base-url", url, ...secrets];
  const { child, ended } = started(words, { cwd: emptyFolder, env: childHome });
  onTestFinished(() => void child.kill("SIGKILL"));
  const { exitCode, stderr } = await ended;
  expect([exitCode, shown.includes("referral-auth"), leaks(shown)]).toEqual([143, true, []]);
  expect(stderr).toMatch(
    /^Warning: --token and --secret on the command line can be seen in process lists.*\n$/,
  );
  expect(leaks(stderr)).toEqual([]);
});

test.each([[["--token-file", "-"]], [["--token"]]])("%j brings no warning", async (args) => {
  const environment = { REFERRAL_BASE_URL: "http://127.0.0.1:1", ...(args.length === 1 && token) };
  const run = await runInProcess(["test", ...args], { environment, stdin: "x\n" });
  expect(run).toMatchObject({ exitCode: 7, stderr: "" });
});

/** Runs `test` in a folder with these files, in which `#` is the URL of a server that accepts, and a link to its folder `tree`. */
async function runAmong(
  rcName: string,
  folders: Readonly<Record<string, string>>,
  workingFolder: string,
  more = {},
) {
  const api = await serveAlways(200);
  const files = { [rcName]: { baseUrl: api.url }, "tree/.keep": "", "other/.keep": "", ...more };
  const place = folderWith(files);
  symlinkSync(join(place, "tree"), join(place, "link"));
  const named = Object.entries(folders).map(([name, folder]) => [name, folder.replace("#", place)]);
  const environment = { ...token, ...Object.fromEntries(named) };
  const run = await runAsChild(["test"], { workingFolder: join(place, workingFolder), environment });
  return { ...run, connections: api.connections() };
}

const config = "referral/config.json";

// test/settings/{trust,load}.test.ts have the rules. These rows show that the process finds its folders by them.
test.each([
  ["is empty", { HOME: "" }, ".referralrc"],
  ["of XDG is one of its folders", { XDG_CONFIG_HOME: "settings" }, `settings/${config}`],
])("a working tree is not your folder if the variable %s", async (_, folders, rcName) => {
  const run = await runAmong(`tree/${rcName}`, folders, "tree");
  expect(run, run.everything).toMatchObject({ exitCode: 3, stdout: "", connections: 0 });
});

test.each([
  ["HOME leads into it by a link", { HOME: "#/link/home" }, "home/.referralrc", ".git"],
  ["both are, by a link", { HOME: "#/tree", XDG_CONFIG_HOME: "#/link" }, config, ".git/HEAD"],
])("a checkout is not yours if %s", async (_, folders, rcName, git) => {
  const run = await runAmong(`tree/${rcName}`, folders, "other", { [`tree/${git}`]: "x" });
  expect(run, run.everything).toMatchObject({ exitCode: 3, stdout: "", connections: 0 });
  const advice = /give --base-url yourself, or name the file with --config/;
  expect(run.stderr.replace(/\s+/g, " ")).toMatch(advice);
});

test.each([
  ["by way of a link, from a folder inside it", "#/link/", ".referralrc"],
  ["with its configuration folder", "#/tree", `.config/${config}`],
])("the home folder is yours, %s", async (_, HOME, rcName) => {
  const run = await runAmong(`tree/${rcName}`, { HOME }, "tree/work", { "tree/work/.keep": "" });
  expect(run, run.everything).toMatchObject({ exitCode: 0, stderr: "", connections: 1 });
});
