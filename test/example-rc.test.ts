import { chmodSync, copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { definitionOf, settingNames } from "../src/settings/table.ts";
import { runInProcess } from "./support/run.ts";

const example = new URL("../.referralrc.example", import.meta.url);

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), "referral-auth-"));
  onTestFinished(() => rmSync(path, { recursive: true }));
  return path;
}

test("the example works when copied", async () => {
  const home = folder();
  copyFileSync(example, join(home, ".referralrc"));
  chmodSync(join(home, ".referralrc"), 0o644);

  const result = await runInProcess(["config", "--json"], { homeFolder: home });

  expect(result).toMatchObject({ exitCode: 0, stderr: "" });
  expect(JSON.parse(result.stdout).settings).toContainEqual(
    expect.objectContaining({ name: "baseUrl", value: "https://api.example.com/v1" }),
  );
});

test("every commented key of the example is one that the tool knows", async () => {
  const home = folder();
  const path = join(home, ".referralrc");
  // A setting and its file exclude each other, so the one of each pair is tried and then the other.
  for (const left of [/^# (?:token|secret):.*$/gm, /^# (?:tokenFile|secretFile):.*$/gm]) {
    const text = readFileSync(example, "utf8")
      .replace(left, "")
      .replace(/^# {1,5}(?=[a-zA-Z]+:(?: |$))/gm, (mark) => mark.slice(2));
    writeFileSync(path, text, { mode: 0o600 });
    const result = await runInProcess(["config", "--json"], { homeFolder: home });
    expect(result.everything).not.toContain("unknown key");
    expect(result).toMatchObject({ exitCode: 0, stderr: "" });
    expect(JSON.parse(result.stdout).settings).toContainEqual(
      expect.objectContaining({ name: "username", value: "me@example.com" }),
    );
  }
});

test("every key of the settings is in the example, commented or not, and every choice is named", () => {
  const text = readFileSync(example, "utf8");
  const keys = settingNames.map((name) => definitionOf(name).key);
  const choices = settingNames.flatMap((name) => definitionOf(name).choices ?? []);
  const named = new Set(text.match(/[\w-]+/g));

  expect(keys.filter((key) => !new RegExp(`^(?:# )?${key}: `, "m").test(text))).toEqual([]);
  expect(choices.filter((choice) => !named.has(choice))).toEqual([]);
  expect(choices.length).toBeGreaterThan(5);
});
