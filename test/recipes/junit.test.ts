import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { stringify } from "yaml";
import { emulate } from "../support/emulate.ts";
import { planted } from "../support/planted.ts";
import { type Run, runAsChild } from "../support/run.ts";
import { type Machine, machineWith, start } from "./machine.ts";

const schema = fileURLToPath(new URL("junit.xsd", import.meta.url));

function xmllint(machine: Machine, ...args: readonly string[]): Promise<Run> {
  return start(machine, "xmllint", ["--nonet", ...args, "junit.xml"]);
}

const hostile = `]]>&amp;<b a="1">'\u0000\u001b\ufffe\n::error::x`;

/** The report of a real run over these profiles, as `junit.xml` in the folder of the machine. */
async function report(baseUrl: string, profiles: object): Promise<Machine> {
  const machine = machineWith({ rc: stringify({ baseUrl, profiles }) });
  const args = ["test", "--all", "--config", "rc", "--junit", "junit.xml", "--quiet"];
  await runAsChild(args, { workingFolder: machine.folder });
  return machine;
}

test("the report of a run in which everything happens is a JUnit report, and its counts are those of its cases", async () => {
  const api = await emulate();
  const machine = await report(api.url, {
    accepted: { token: planted.token, username: planted.username, secret: planted.secret },
    refused: { token: "not-the-token" },
    "out of reach": { token: planted.token, baseUrl: "http://127.0.0.1:1" },
    incomplete: { username: planted.username },
    [hostile]: { token: "not-the-token" },
  });

  expect(await xmllint(machine, "--noout", "--schema", schema)).toMatchObject({
    exitCode: 0,
    stderr: "junit.xml validates\n",
  });
  const counted = async (path: string): Promise<string> =>
    (await xmllint(machine, "--xpath", path)).stdout.trim();
  for (const [attribute, cases, expected] of [
    ["tests", "//testcase", "6"],
    ["failures", "//failure", "2"],
    ["errors", "//error", "2"],
  ] as const) {
    expect(await counted(`count(${cases})`)).toBe(expected);
    expect(await counted(`string(/testsuites/@${attribute})`)).toBe(expected);
    expect(await counted(`string(/testsuites/testsuite/@${attribute})`)).toBe(expected);
  }
  // The markup in the name is text: it comes back as it was written.
  expect(await counted("string(//testcase[6]/@classname)")).toContain(`]]>&amp;<b a="1">'`);
});

test("the schema tells a report that is none", async () => {
  const api = await emulate();
  const machine = await report(api.url, { refused: { token: "not-the-token" } });
  const path = join(machine.folder, "junit.xml");
  writeFileSync(path, readFileSync(path, "utf8").replaceAll("failure", "fault"));

  const run = await xmllint(machine, "--noout", "--schema", schema);

  expect(run.exitCode).toBe(3);
  expect(run.stderr).toContain("fault");
});
