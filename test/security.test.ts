import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { textOf } from "./support/pages.ts";

/** The tests that hold each promise of SECURITY.md, below `test/`. */
const held: Readonly<Record<string, readonly string[]>> = {
  "Where a credential goes": [
    "settings/trust.test.ts",
    "threats/trust.both-ways.test.ts",
    "threats/addresses.both-ways.test.ts",
    "properties/header.test.ts",
  ],
  "Which credential is checked": ["settings/precedence.test.ts", "threats/trust.both-ways.test.ts"],
  "A checkout": [
    "threats/canaries.built.test.ts",
    "threats/process.built.test.ts",
    "settings/inputs.test.ts",
    "settings/load.test.ts",
  ],
  "Secret commands": ["threats/secret-command.both-ways.test.ts"],
  "rc files": [
    "threats/rc-faults.both-ways.test.ts",
    "threats/hostile-rc.built.test.ts",
    "settings/rc-parse.test.ts",
    "properties/rc-file.test.ts",
  ],
  Output: [
    "redaction/redact.test.ts",
    "redaction/decode.test.ts",
    "redaction/cut.test.ts",
    "properties/redaction.test.ts",
    "check/judge/body.test.ts",
    "app.test.ts",
    "e2e/diagnose.test.ts",
    "threats/process.built.test.ts",
  ],
  "Secrets in the wrong place": ["threats/shown.test.ts"],
  "Texts of others": [
    "properties/escape.test.ts",
    "properties/extreme-numbers.test.ts",
    "report/text.test.ts",
    "settings/hostile-texts.test.ts",
    "threats/hostile-entries.both-ways.test.ts",
    "e2e/bugs.test.ts",
  ],
  TLS: [
    "faults/tls.both-ways.test.ts",
    "faults/tls-causes.test.ts",
    "e2e/connections.test.ts",
    "e2e/system-certificates.built.test.ts",
  ],
  "Clear text": ["settings/base-url.test.ts", "settings/proxy.test.ts", "http/lookup.test.ts"],
  "`--diagnose`": ["properties/diagnosis.test.ts", "check/diagnose/experiments.test.ts"],
  Reports: ["system/file-writing.test.ts", "run/output-paths.test.ts"],
  "The emulator": ["emulator/emulator.test.ts", "emulator/judge.test.ts", "emulator/server.test.ts"],
  "V8's cache": ["e2e/planted-cache.built.test.ts", "e2e/compile-cache.built.test.ts"],
  "The package": ["docs.test.ts"],
};

test("every promise of SECURITY.md has tests, and they exist", () => {
  const subjects = [...textOf("SECURITY.md").matchAll(/^- \*\*(.+?)\*\*: /gm)].map(([, subject]) => subject);
  expect(subjects).toEqual(Object.keys(held));
  const files = Object.values(held).flat();
  expect(files.filter((file) => !existsSync(new URL(file, import.meta.url)))).toEqual([]);
});
