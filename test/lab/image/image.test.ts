import { chmodSync, chownSync, existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { parse } from "yaml";
import manifest from "../../../package.json" with { type: "json" };
import { contentOf } from "../../e2e/installed.ts";
import { emulate } from "../../support/emulate.ts";
import { folderWith } from "../../support/folder.ts";
import { recipe } from "../../support/pages.ts";
import { leaks, planted } from "../../support/planted.ts";
import { machineWith, rcOf, start } from "../recipes/machine.ts";
import { buildImage, type Image, networkOf } from "./image.ts";

let image: Image;
beforeAll(() => {
  image = buildImage();
  return image.stop;
}, 300_000);

/** A folder with an rc file, as a Secret is mounted: for root, or another user, and the group 2000 to read. */
function secretWith(content: string, mode: number, user = 0): string {
  const folder = folderWith({ "referralrc.yaml": content });
  chmodSync(folder, 0o755);
  chownSync(join(folder, "referralrc.yaml"), user, 2000);
  chmodSync(join(folder, "referralrc.yaml"), mode);
  return folder;
}

test("the image runs the package as a user who is not root, whom Kubernetes can tell by a number", async () => {
  expect(image.config.Entrypoint).toEqual(["referral-auth"]);
  expect(image.config.User).toMatch(/^[1-9]\d*:[1-9]\d*$/);
  expect((await image.run(["--version"])).exitCode).toBe(0);
  // buildah can lose what a short run prints.
  const version = await image.runReadOnly([...image.config.Entrypoint, "--version"]);
  expect(version).toMatchObject({ exitCode: 0, stdout: `${manifest.version}\n`, stderr: "" });
});

test.each([
  ["accepted", planted.token, [], 0],
  ["refused", "not-the-token", [], 4],
  ["missing", "", [], 3],
  ["given with a wrong option", planted.token, ["--nonsense"], 2],
])("the exit code for a token that is %s reaches the caller", async (_, token, args, exitCode) => {
  const api = await emulate();
  const environment = { REFERRAL_BASE_URL: api.url, REFERRAL_TOKEN: token };
  expect(await image.run(["test", ...args], environment)).toMatchObject({ exitCode });
});

test.each([
  { user: 1000, mode: 0o600, groups: [], exitCode: 0, means: "it belongs to the user" },
  { user: 0, mode: 0o440, groups: [2000], exitCode: 0, means: "fsGroup gives the user the group" },
  { user: 0, mode: 0o440, groups: [], exitCode: 3, means: "the user is not in the group" },
  { user: 0, mode: 0o444, groups: [2000], exitCode: 3, means: "everybody can read it" },
])("a mounted rc file exits $exitCode where $means", async ({ user, mode, groups, exitCode }) => {
  const api = await emulate();
  const rc = `baseUrl: ${api.url}\ntoken: "${planted.token}"\n`;
  const volumes = { "/etc/referral": secretWith(rc, mode, user) };

  const command = ["referral-auth", "test", "--config", "/etc/referral/referralrc.yaml"];
  const result = await image.runReadOnly(command, { volumes, groups });

  expect(result, result.everything).toMatchObject({ exitCode });
  expect(api.log).toHaveLength(exitCode === 0 ? 1 : 0);
  expect(leaks(result.everything)).toEqual([]);
});

test("the command of the Kubernetes recipe runs in the image as it stands there", async () => {
  const api = await emulate();
  const { jobTemplate } = parse(recipe("docs/ci.md", "Kubernetes", "yaml")).spec;
  const [container] = jobTemplate.spec.template.spec.containers;
  const [settings] = container.volumeMounts;

  const result = await image.runReadOnly(container.command, {
    environment: { JOB_COMPLETION_INDEX: "2" },
    volumes: { [settings.mountPath]: secretWith(rcOf(api.url), 0o440) },
    groups: [2000],
  });

  expect(result, result.everything).toMatchObject({ exitCode: 0, stderr: "" });
  expect(result.stdout).toContain("third");
  expect(api.log).toHaveLength(1);
});

test("the root file system of that run is read-only indeed, and its user is not root", async () => {
  const script = 'id -u; touch /tmp/file || touch "$HOME/file"';
  const result = await image.runReadOnly(["sh", "-c", script]);
  expect(result).toMatchObject({ exitCode: 1, stdout: "1000\n" });
  expect(result.stderr.match(/Read-only file system/g)).toHaveLength(2);
});

// Says whether V8 rejected the code that the launcher handed over: undefined if it handed over none.
const probe = `
const vm = require("node:vm");
vm.Script = class extends vm.Script {
  constructor(...given) {
    super(...given);
    require("node:fs").writeSync(2, process.argv[2] + ": " + this.cachedDataRejected + "\\n");
  }
};`;

describe("V8's cache, which the build of the image left", () => {
  const places = ["usr/local/lib/node_modules/referral-auth", "home/node", "tmp"];
  const contents = () => places.map((path) => contentOf(join(image.root, path)));

  test("has the code of each command, which only root can change", () => {
    const cache = contents()[0]?.filter((line) => line.startsWith("dist/cache"));
    const [folder, ...files] = cache?.map((line) => line.split(" ")) ?? [];
    const name = (command: string) =>
      expect.stringMatching(`^dist/cache/${command}-node\\d+-${process.arch}$`);
    expect(folder?.slice(0, 3)).toEqual(["dist/cache", `${0o40755}`, "0"]);
    expect(files.map((facts) => facts.slice(0, 3))).toEqual(
      ["config", "emulator", "header", "test"].map((command) => [name(command), `${0o100644}`, "0"]),
    );
  });

  const title =
    "is used for %s by a user who is not root, on a read-only root file system, and stays as it is";
  test.each([["test"], ["header", "--wsse"], ["config"]])(title, async (...words) => {
    const folder = folderWith({ "probe.cjs": probe });
    chmodSync(folder, 0o755);
    chmodSync(join(folder, "probe.cjs"), 0o644);
    const before = contents();
    const command = ["referral-auth", "emulator", "--", "referral-auth", ...words];
    const run = (more: Readonly<Record<string, string>> = {}) =>
      image.runReadOnly(command, {
        environment: { NODE_OPTIONS: "--require=/etc/probe/probe.cjs", ...more },
        volumes: { "/etc/probe": folder },
      });

    const stderr = (rejected: string) => `emulator: ${rejected}\n${words[0]}: ${rejected}\n`;
    expect(await run()).toMatchObject({ exitCode: 0, stderr: stderr("false") });
    expect(await run({ NODE_DISABLE_COMPILE_CACHE: "1" })).toMatchObject({ stderr: stderr("undefined") });
    expect(contents()).toEqual(before);
  });
  test("stays as it is on a root file system that can be written, and nothing is left elsewhere", async () => {
    const before = contents();
    expect((await image.run(["emulator", "--", "referral-auth", "test"])).exitCode).toBe(0);
    expect(contents()).toEqual(before);
  });
});

test("the image holds the package, its command and nothing of the build", async () => {
  const modules = join(image.root, "usr/local/lib/node_modules");
  expect(readdirSync(modules).toSorted()).toEqual(["npm", "referral-auth"]);
  const leftIn = (folder: string) => readdirSync(join(image.root, folder));
  expect(["tmp", "home/node", "root"].map(leftIn)).toEqual([[], [], []]);
});

test("the service of the compose file is reached by its name from another machine, and by no other", async () => {
  const { "referral-api": api, tests } = parse(
    recipe("docs/emulator-in-tests.md", "Compose", "yaml"),
  ).services;
  const network = networkOf("referral-api");
  onTestFinished(network.remove);
  const service = image.serve(network.onServer, api.command.split(" "));
  const ready = join(image.root, api.healthcheck.test.at(-1));
  await vi.waitUntil(() => existsSync(ready), { timeout: 30_000 });
  const machine = machineWith();
  const onClient = (...words: readonly string[]) => {
    const [command = "", ...args] = [...network.onClient, ...words];
    return start(machine, command, args, tests.environment);
  };
  const url = `${tests.environment.REFERRAL_BASE_URL}/test-authentication`;
  const status = async (...args: readonly string[]): Promise<string> =>
    (await onClient("curl", "-s", "-w", "%{http_code}", "-o", "/dev/null", ...args)).stdout;

  const own = await onClient("referral-auth", "test", "--insecure-http");
  const java = await onClient("java", fileURLToPath(new URL("WsseClient.java", import.meta.url)));
  const others = [
    await status("--header", `X-Auth-Token: ${tests.environment.REFERRAL_TOKEN}`, url),
    await status(url.replace("referral-api", network.address)),
    await status("--header", "Host: evil.example", url),
    await status("--header", "Origin: http://referral-api:8080", url),
  ];

  expect(own, own.everything).toMatchObject({ exitCode: 0 });
  expect(java.stdout, java.everything).toBe(
    '200 {"code":200,"message":"Hello, me@example.com! You are successfully authenticated on the platform."}\n',
  );
  expect(others).toEqual(["200", "401", "421", "403"]);
  expect(service.log()).toMatch(
    /^Warning: every machine that reaches this one can use port 8080 .*\nWarning: web pages of referral-api /,
  );
  expect(service.log()).toContain("note: Created is not of the form");
  expect(await service.stop()).toBe(143);
  expect(existsSync(ready)).toBe(false);
});
