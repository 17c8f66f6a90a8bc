import { expect, test } from "vitest";
import { folderWith } from "../support/folder.ts";
import { planted } from "../support/planted.ts";
import { serveAlways } from "../support/serve.ts";
import { inShell } from "./shell.ts";

const HOME = "/nowhere";
const inDeleted = 'mkdir gone && cd gone && rmdir "$PWD" &&';
// Node.js gives its path as that of the other folder.
const inNoUtf8 = `own=$(printf '\\351') other=$(printf '\\357\\277\\275') &&
  mkdir "$own" "$other" && echo '{' > "$other/.referralrc" && cd "$own" &&`;

test.each<[string, string, Readonly<Record<string, string>>]>([
  ["closed standard input", "$RUN test <&-", { HOME }],
  ["a terminal's absence", "setsid -w $RUN test 2>&1 </dev/null", { HOME }],
  ["no HOME", "unset HOME; $RUN test", {}],
  ["a HOME that is a file", "$RUN test", { HOME: "/dev/null" }],
  ["a deleted working directory", `${inDeleted} $RUN test`, { HOME }],
  ["a deleted working directory and no HOME", `${inDeleted} unset HOME && $RUN test`, {}],
  ["a working directory that is not UTF-8", `${inNoUtf8} $RUN test`, { HOME }],
  ["no PATH", "unset PATH; $RUN test", { HOME }],
  ["a language that is not installed", "$RUN test", { HOME, LC_ALL: "xx_XX.UTF-8", LANG: "tlh" }],
  ["an unlikely terminal", "$RUN test", { HOME, TERM: "\u001b[31m", COLUMNS: "-1" }],
])("a refused credential keeps its exit code with %s", async (_, script, environment) => {
  const api = await serveAlways(401, { code: 401, message: "No" });
  const given = { ...environment, REFERRAL_TOKEN: planted.token, REFERRAL_BASE_URL: api.url };
  const run = await inShell(script, given, folderWith());
  expect(run).toMatchObject({ exitCode: 4, stderr: "" });
  expect(run.stdout).toMatch(/^REJECTED +token: /);
  expect(run.stdout).not.toContain("\u001b");
  expect(api.requests).toHaveLength(1);
});

// test/settings/values.test.ts has what a secret may be, test/system/file-reading.test.ts what a file may be.
const tooLong = "head -c 65537 /dev/zero | tr '\\0' a";
test.each([
  ["a token from closed standard input", "$RUN test --token-file - <&-", "is empty"],
  [
    "a token from standard input of 64 KiB and a byte",
    `${tooLong} | $RUN test --token-file -`,
    "is too large",
  ],
  ["a token from standard input that is a folder", "$RUN test --token-file - < .", "is a folder, not a file"],
  // Latin-1, of which Node.js makes U+FFFD.
  ["a token that is not UTF-8", "REFERRAL_TOKEN=$(printf 'p\\344ss') $RUN test", "is not UTF-8 text"],
  [
    "a relative path in a deleted working directory",
    `${inDeleted} $RUN test --token-file t`,
    "no longer exists",
  ],
])("%s exits 3 and says so", async (_, script, message) => {
  const run = await inShell(script, { HOME, REFERRAL_BASE_URL: "http://127.0.0.1:1" }, folderWith());
  expect(run).toMatchObject({ exitCode: 3, stdout: "" });
  expect(run.stderr).toContain(message);
});
