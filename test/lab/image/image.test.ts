import { chmodSync, chownSync, readdirSync, statSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { parse } from "yaml";
import manifest from "../../../package.json" with { type: "json" };
import { plain, rcOf } from "../../e2e/profiles.ts";
import { emulate } from "../../support/emulate.ts";
import { folderWith } from "../../support/folder.ts";
import { textOf } from "../../support/pages.ts";
import { leaks } from "../../support/planted.ts";
import { buildImage, type Image } from "./image.ts";

let image: Image;
beforeAll(() => {
  image = buildImage();
  return image.stop;
}, 300_000);

test("the image runs the package as a user who is not root, whom Kubernetes can tell by a number", async () => {
  expect(image.config.Entrypoint).toEqual(["referral-auth"]);
  expect(image.config.User).toMatch(/^[1-9]\d*:[1-9]\d*$/);
  const version = await image.run([...image.config.Entrypoint, "--version"]);
  expect(version).toMatchObject({ exitCode: 0, stdout: `${manifest.version}\n`, stderr: "" });
  expect((await image.run(["id", "-u"])).stdout).toBe("1000\n");
});

test("the image holds the package, its command, V8's cache of each command that only root can change, and nothing of the build", () => {
  const modules = join(image.root, "usr/local/lib/node_modules");
  expect(readdirSync(modules).toSorted()).toEqual(["npm", "referral-auth"]);
  const leftIn = (folder: string) => readdirSync(join(image.root, folder));
  expect(["tmp", "home/node", "root"].map(leftIn)).toEqual([[], [], []]);

  const folder = join(modules, "referral-auth/dist/cache");
  const cached = readdirSync(folder).toSorted();
  const commands = ["config", "emulator", "header", "test"];
  expect(cached.map((name) => name.replace(/-node\d+-\w+$/, ""))).toEqual(commands);
  for (const path of [folder, ...cached.map((name) => join(folder, name))]) {
    const { uid, mode } = statSync(path);
    expect([uid, mode & 0o022]).toEqual([0, 0]);
  }
});

// A Secret is mounted for root and the group of `fsGroup` to read.
test.each([
  ["with the Secret as the kubelet mounts it", 0o440, 0],
  ["but not with one that everybody can read", 0o444, 3],
])("the command of the Kubernetes recipe runs in the image as it stands there, %s", async (_, mode, code) => {
  const api = await emulate();
  const { jobTemplate } = parse(textOf("examples/ci/kubernetes.yml")).spec;
  const [container] = jobTemplate.spec.template.spec.containers;
  // By way of `..data`.
  const folder = folderWith({ "..2026_11_21/referralrc.yaml": rcOf(api.url, plain(5)) });
  const file = join(folder, "..2026_11_21/referralrc.yaml");
  for (const one of [folder, dirname(file)]) chmodSync(one, 0o755);
  chownSync(file, 0, 2000);
  chmodSync(file, mode);
  symlinkSync("..2026_11_21", join(folder, "..data"));
  symlinkSync("..data/referralrc.yaml", join(folder, "referralrc.yaml"));

  const path = container.volumeMounts[0].mountPath;
  const result = await image.run(container.command, {}, { folder, path });

  expect(result, result.everything).toMatchObject({ exitCode: code });
  expect(result.stdout.includes("p2")).toBe(code === 0);
  expect(api.log).toHaveLength(code === 0 ? 5 : 0);
  expect(leaks(result.everything)).toEqual([]);
});

test("the service of the compose file becomes healthy, and the variables beside it lead to it by its name", async () => {
  const { "referral-api": api, tests } = parse(textOf("examples/emulator/compose.yml")).services;
  const [, ...healthy] = api.healthcheck.test;
  const script = `referral-auth ${api.command} & until ${healthy.join(" ")}; do sleep 0.1; done
    referral-auth test --insecure-http; echo "the check exited $?"; kill $!; wait $!`;
  const run = await image.run(["sh", "-c", script], tests.environment);
  expect(run, run.everything).toMatchObject({
    exitCode: 143,
    stdout: expect.stringMatching(/^accepted +token[\s\S]*^accepted +wsse[\s\S]*^the check exited 0\n$/m),
    stderr: expect.stringMatching(/^Warning: .* 8080\b/m),
  });
});
