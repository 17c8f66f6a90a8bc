import { expect, test } from "vitest";
import { stringify } from "yaml";
import { emulate } from "../../support/emulate.ts";
import { planted } from "../../support/planted.ts";
import { runAsChild } from "../../support/run.ts";
import { machineWith, start } from "./machine.ts";

const hostile = `]]>&amp;<b a="1">'\u0000\u001b\ufffe\n::error::x`;

test("the report of a run in which everything happens is XML, and its counts are those of its cases", async () => {
  const api = await emulate();
  const profiles = {
    accepted: { token: planted.token, username: planted.username, secret: planted.secret },
    refused: { token: "not-the-token" },
    "out of reach": { token: planted.token, baseUrl: "http://127.0.0.1:1" },
    incomplete: { username: planted.username },
    [hostile]: { token: "not-the-token" },
  };
  const machine = machineWith({ rc: stringify({ baseUrl: api.url, profiles }) });
  const args = ["test", "--all", "--config", "rc", "--junit", "junit.xml", "--quiet"];
  await runAsChild(args, { workingFolder: machine.folder });
  const xmllint = (...args: readonly string[]) =>
    start(machine, "xmllint", ["--nonet", ...args, "junit.xml"]);
  const counted = async (path: string) => (await xmllint("--xpath", path)).stdout.trim();

  expect(await xmllint("--noout")).toMatchObject({ exitCode: 0, everything: "" });
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
