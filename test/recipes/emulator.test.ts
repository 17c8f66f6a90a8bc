import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { bash, machineWithNpm, start, validateWorkflow } from "./machine.ts";
import { recipe, textOf } from "./pages.ts";

const page = "docs/emulator.md";
const modules = fileURLToPath(new URL("../../node_modules", import.meta.url));

const client = `import { wsseHeader } from "referral-auth";
export async function hello(url, username, secret) {
  const response = await fetch(url + "/test-authentication", { headers: { "X-WSSE": wsseHeader({ username, secret }) } });
  if (!response.ok) throw new Error(String(response.status));
}
`;

test("the test suite passes beside the package, installed as the page says", async () => {
  const { archive, ...machine } = await machineWithNpm();
  const inside = (...path: readonly string[]): string => join(machine.folder, ...path);
  writeFileSync(inside("package.json"), '{ "type": "module" }');
  const installed = await bash(machine, recipe(page, "The emulator", "bash"), {
    REFERRAL_AUTH_PACKAGE: archive,
  });
  expect(installed, installed.everything).toMatchObject({ exitCode: 0 });
  for (const folder of ["src", "test"]) mkdirSync(inside(folder));
  symlinkSync(join(modules, "vitest"), inside("node_modules/vitest"));
  writeFileSync(inside("src/client.js"), client);
  writeFileSync(inside("test/client.test.ts"), recipe(page, "A test suite", "ts"));

  const run = await start(machine, process.execPath, [join(modules, "vitest/vitest.mjs"), "run"]);

  expect(run, run.everything).toMatchObject({ exitCode: 0 });
  expect(run.stdout).toContain("2 passed");
});

test("the workflow is one by GitHub's schema, but for `command`, which the schema does not know yet", async () => {
  const workflow = recipe(page, "GitHub Actions", "yaml");
  expect((await validateWorkflow(workflow)).everything).toContain(
    "Additional property 'command' is not allowed",
  );
  expect(await validateWorkflow(workflow.replace(/^ *command: .*\n/m, ""))).toMatchObject({
    exitCode: 0,
    everything: "",
  });
});

test("both services start the same emulator, but for the name, and publish its port", () => {
  const compose = parse(recipe(page, "Compose", "yaml")).services["referral-api"];
  const github = parse(recipe(page, "GitHub Actions", "yaml")).jobs.tests.services["referral-api"];
  expect(github.command).toBe(compose.command.replace(" --allow-host referral-api", ""));
  expect(github.ports).toEqual(["8080:8080"]);
  expect(github.options).toContain(`"${compose.healthcheck.test.slice(1).join(" ")}"`);
  for (const { image } of [compose, github]) expect(textOf("docs/ci.md")).toContain(image);
});
