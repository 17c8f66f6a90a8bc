import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { folderWith } from "../support/folder.ts";
import { planted } from "../support/planted.ts";
import { runInProcess } from "../support/run.ts";

const { token } = planted;

describe("a name identifies an account in JUnit and metrics:", () => {
  async function namesOf(lines: readonly (object | string)[], more: readonly string[] = []) {
    const workingFolder = folderWith();
    const read = (name: string): string => readFileSync(join(workingFolder, name), "utf8");
    const stdin = lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line))).join("\n");
    const args = [
      "test",
      "--accounts",
      "-",
      "--base-url",
      "http://127.0.0.1:1",
      "--junit",
      "report.xml",
      "--metrics",
      "run.prom",
      ...more,
    ];
    const run = await runInProcess(args, { workingFolder, stdin });
    const junit = [...read("report.xml").matchAll(/classname="referral-auth\.([^"]*)"/g)].map(
      ([, name]) => name,
    );
    const labels = /^referral_auth_accepted\{profile="([^"]*)",method="[^"]*"(?:,line="(\d+)")?\}/gm;
    const metrics = [...read("run.prom").matchAll(labels)].map(([, name, line]) =>
      line ? `${name}#${line}` : name,
    );
    return { run, junit: junit.toSorted(), metrics: metrics.toSorted() };
  }
  const wrong = { profile: "wrong", token: 1 };

  test("the line is part of it only where there is no name, or the same one came before", async () => {
    const lines = [
      { profile: "a", token },
      { token },
      "{broken",
      wrong,
      { profile: "a", token },
      { profile: "b", token },
      { ...wrong, profile: "b" },
    ];
    const { run, junit, metrics } = await namesOf(lines);
    expect(junit).toEqual(["a", "a (line 5)", "b", "b (line 7)", "line 2", "line 3", "wrong"]);
    expect(metrics).toEqual(["#2", "#3", "a", "a#5", "b", "b#7", "wrong"]);
    // The text report says where the line is.
    expect(run.stdout).toMatch(/^NOT-CHECKED .*line 4 \(wrong\): /m);
  });

  test("a row that is inserted at the top renames nothing, and a shard has the names of the whole", async () => {
    const lines = ["x", "y", "y", "z"].map((profile) => ({ profile, token }));
    const before = await namesOf(lines);
    const inserted = await namesOf([{ profile: "new", token }, ...lines]);
    expect(inserted.metrics).toEqual(expect.arrayContaining(before.metrics.filter((name) => name !== "y#3")));
    const [first, second] = [
      await namesOf(lines, ["--shard", "1/2"]),
      await namesOf(lines, ["--shard", "2/2"]),
    ];
    expect([...first.metrics, ...second.metrics].toSorted()).toEqual(before.metrics);
  });

  test("names that are the same once their secrets are masked have the line, whatever line they stand in", async () => {
    const masked = ["one-secret", "two-secret"].map((secret) => ({ profile: `my ${secret}`, token: secret }));
    const { metrics, run } = await namesOf(masked);
    expect(metrics).toEqual(["my [secret]#1", "my [secret]#2"]);
    expect(run.everything).not.toMatch(/one-secret|two-secret/);
  });
});
