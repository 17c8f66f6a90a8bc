import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { emulate } from "../support/emulate.ts";
import { folderWith } from "../support/folder.ts";
import type { Run } from "../support/run.ts";
import { accountNames, rcWith } from "./accounts.ts";
import { machineWith, start, validators } from "./machine.ts";
import { recipe } from "./pages.ts";

// Kubernetes reads YAML 1.1, in which 0400 is octal.
const manifest = parse(recipe("docs/ci.md", "Kubernetes", "yaml"), { version: "1.1" });
const { completions, completionMode, podFailurePolicy, template } = manifest.spec.jobTemplate.spec;
const [container] = template.spec.containers;
const [mount] = container.volumeMounts;
const [volume] = template.spec.volumes;

/** The faults that the API's published schema finds; null where it finds none. */
async function validate(document: object): Promise<string | null> {
  const { CronJob } = await import(
    pathToFileURL(join(validators, "node_modules/kubernetes-models/batch/v1/index.js")).href
  );
  try {
    new CronJob(document).validate();
    return null;
  } catch (error) {
    return String(error);
  }
}

/** What the TypeScript compiler says of the manifest as one of these models; the schema alone allows unknown fields. */
async function unknownFields(document: object): Promise<string> {
  const folder = folderWith({
    "manifest.ts": `import type { ICronJob } from "kubernetes-models/batch/v1";\nexport const it: ICronJob = ${JSON.stringify(document)};\n`,
  });
  symlinkSync(join(validators, "node_modules"), join(folder, "node_modules"));
  const options = [
    "--noEmit",
    "--strict",
    "--skipLibCheck",
    "--types",
    "",
    "--module",
    "preserve",
    "manifest.ts",
  ];
  const compiler = new URL("../../node_modules/.bin/tsc", import.meta.url).pathname;
  return (await start({ ...machineWith(), folder }, compiler, options)).stdout;
}

test("the CronJob is one by the API's schema, and the schema would tell", async () => {
  expect(await validate(manifest)).toBeNull();
  expect(await unknownFields(manifest)).toBe("");

  const { spec } = manifest;
  expect(await validate({ ...manifest, spec: { ...spec, schedule: 5 } })).toContain(
    "schedule must be string",
  );
  expect(await unknownFields({ ...manifest, spec: { ...spec, timetable: "" } })).toContain("timetable");
});

/** Mounts a Secret as the kubelet does: links by way of `..data`, and this mode on the files themselves. */
function mountSecret(files: Readonly<Record<string, string>>, mode: number): string {
  const folder = folderWith();
  mkdirSync(join(folder, "..2026_11_21"));
  symlinkSync("..2026_11_21", join(folder, "..data"));
  for (const [name, content] of Object.entries(files)) {
    writeFileSync(join(folder, "..data", name), content);
    chmodSync(join(folder, "..data", name), mode);
    symlinkSync(join("..data", name), join(folder, name));
  }
  return folder;
}

/** Runs the container's command as each pod of the job in turn, with the Secret where it is mounted. */
async function runPods(secret: string): Promise<readonly Run[]> {
  const runs: Run[] = [];
  const [program, ...args] = container.command.map((word: string) => word.replace(mount.mountPath, secret));
  for (let index = 0; index < completions; index += 1) {
    runs.push(await start(machineWith(), program, args, { JOB_COMPLETION_INDEX: String(index) }));
  }
  return runs;
}

const exitCodes = (runs: readonly Run[]): readonly number[] => runs.map(({ exitCode }) => exitCode);

test("the pods check every account once, with the Secret closed as the manifest says", async () => {
  const api = await emulate();
  expect(completionMode).toBe("Indexed");
  expect(volume.name).toBe(mount.name);

  const rc = rcWith(api.url, { third: { token: "not-the-token" } });
  const runs = await runPods(mountSecret({ "referralrc.yaml": rc }, volume.secret.defaultMode));

  expect(exitCodes(runs)).toEqual([0, 0, 4, 0]);
  expect(api.log).toHaveLength(accountNames.length);
  for (const name of accountNames) expect(runs.filter(({ stdout }) => stdout.includes(name))).toHaveLength(1);
});

test("the kubelet opens the Secret to the group, and an rc file that everybody can read is refused", async () => {
  const api = await emulate();
  const { fsGroup, runAsNonRoot } = template.spec.securityContext;
  expect([fsGroup, runAsNonRoot]).toEqual([1000, true]);
  // With `fsGroup` the kubelet gives the group what the owner may read.
  const files = { "referralrc.yaml": rcWith(api.url) };

  const open = volume.secret.defaultMode | 0o040;
  expect(exitCodes(await runPods(mountSecret(files, open)))).toEqual([0, 0, 0, 0]);
  expect(api.log).toHaveLength(accountNames.length);

  expect(exitCodes(await runPods(mountSecret(files, open | 0o004)))).toEqual([3, 3, 3, 3]);
  expect(api.log).toHaveLength(accountNames.length);
});

test("only what is no verdict is tried again", () => {
  expect(podFailurePolicy.rules).toEqual([
    { action: "FailIndex", onExitCodes: { operator: "NotIn", values: [5, 7, 8] } },
  ]);
});
