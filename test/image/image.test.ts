import { chmodSync, chownSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { parse } from "yaml";
import manifest from "../../package.json" with { type: "json" };
import { rcWith } from "../recipes/accounts.ts";
import { recipe } from "../recipes/pages.ts";
import { emulate } from "../support/emulate.ts";
import { folderWith } from "../support/folder.ts";
import { leaks, planted } from "../support/planted.ts";
import { buildImage, type Image } from "./image.ts";

let image: Image;
beforeAll(() => {
  image = buildImage();
  return image.stop;
}, 300_000);

const place = "/etc/referral/referralrc.yaml";
const checkArgs = ["test", "--config", place];

/** An rc file of root's with this content, as a Secret is mounted: for root and the group 2000 to read. */
function secretWith(content: string, mode: number): string {
  const folder = folderWith({ "referralrc.yaml": content });
  chmodSync(folder, 0o755);
  const file = join(folder, "referralrc.yaml");
  chownSync(file, 0, 2000);
  chmodSync(file, mode);
  return file;
}

const rcOf = (baseUrl: string, token: string = planted.token): string =>
  `baseUrl: ${baseUrl}\ntoken: "${token}"\n`;

test("the image runs the package as a user who is not root, whom Kubernetes can tell by a number", async () => {
  expect(image.config.Entrypoint).toEqual(["referral-auth"]);
  expect(image.config.User).toMatch(/^[1-9]\d*:[1-9]\d*$/);
  expect((await image.run(["--version"])).exitCode).toBe(0);
  // buildah can lose what a short run prints.
  const version = await image.runReadOnly([...image.config.Entrypoint, "--version"]);
  expect(version).toMatchObject({ exitCode: 0, stdout: `${manifest.version}\n`, stderr: "" });
});

test("exit codes reach the caller", async () => {
  const api = await emulate();
  const check = (token: string) =>
    image.run(["test"], { environment: { REFERRAL_BASE_URL: api.url, REFERRAL_TOKEN: token } });

  expect((await check(planted.token)).exitCode).toBe(0);
  expect((await check("not-the-token")).exitCode).toBe(4);
  expect((await image.run(["test"])).exitCode).toBe(3);
  expect((await image.run(["test", "--nonsense"])).exitCode).toBe(2);
});

test("a mounted rc file of the user's own is read", async () => {
  const api = await emulate();
  const file = secretWith(rcOf(api.url), 0o600);
  chownSync(file, 1000, 1000);

  expect(await image.run(checkArgs, { volumes: { [place]: file } })).toMatchObject({
    exitCode: 0,
    stderr: "",
  });
});

test.each([
  { mode: 0o440, groups: [2000], exitCode: 0, means: "fsGroup gives the user the group" },
  { mode: 0o440, groups: [], exitCode: 3, means: "the user is not in the group" },
  { mode: 0o444, groups: [2000], exitCode: 3, means: "everybody can read it" },
])(
  "on a read-only root file system, a Secret exits $exitCode where $means",
  async ({ mode, groups, exitCode }) => {
    const api = await emulate();

    const result = await image.runReadOnly(["referral-auth", ...checkArgs], {
      volumes: { "/etc/referral": join(secretWith(rcOf(api.url), mode), "..") },
      groups,
    });

    expect(result, result.everything).toMatchObject({ exitCode });
    expect(api.log).toHaveLength(exitCode === 0 ? 1 : 0);
    expect(leaks(result.everything)).toEqual([]);
  },
);

test("the command of the Kubernetes recipe runs in the image as it stands there", async () => {
  const api = await emulate();
  const [container] = parse(recipe("docs/ci.md", "Kubernetes", "yaml")).spec.jobTemplate.spec.template.spec
    .containers;

  const result = await image.runReadOnly(container.command, {
    environment: { JOB_COMPLETION_INDEX: "2" },
    volumes: { [container.volumeMounts[0].mountPath]: join(secretWith(rcWith(api.url), 0o440), "..") },
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

test("the image holds the package, its command and nothing of the build", async () => {
  const modules = join(image.root, "usr/local/lib/node_modules");
  expect(readdirSync(modules).toSorted()).toEqual(["npm", "referral-auth"]);
  expect(readdirSync(join(image.root, "tmp"))).toEqual([]);
  expect(readdirSync(join(image.root, "home/node"))).toEqual([]);
  expect(readdirSync(join(image.root, "root"))).toEqual([]);
});
