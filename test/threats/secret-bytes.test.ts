import { join } from "node:path";
import { expect, test } from "vitest";
import { folderWith } from "../support/folder.ts";
import { leaks, planted } from "../support/planted.ts";
import { runInProcess } from "../support/run.ts";
import { expectMistake } from "./shell.ts";

const unreachable = { REFERRAL_BASE_URL: "http://127.0.0.1:1" };
const wsse = { REFERRAL_USERNAME: planted.username };

// test/settings/secret.test.ts has every kind of white space.
test("white space around a secret exits 3 and says so, from every source", async () => {
  const text = `${planted.token}\u200b`;
  const place = folderWith({ file: `${text}\n`, ".referralrc": { token: text, secret: text } });
  const runs = await Promise.all([
    runInProcess(["test", `--token=${text}`], { environment: unreachable }),
    runInProcess(["test"], { environment: { ...unreachable, REFERRAL_TOKEN: text } }),
    runInProcess(["test"], { environment: { ...unreachable, ...wsse, REFERRAL_SECRET: text } }),
    runInProcess(["test", "--token-file", join(place, "file")], { environment: unreachable }),
    runInProcess(["test", "--token-file", "-"], { environment: unreachable, stdin: `${text}\n` }),
    runInProcess(["test", "--token"], { environment: unreachable, homeFolder: place }),
    runInProcess(["test", "--wsse"], { environment: { ...unreachable, ...wsse }, homeFolder: place }),
    runInProcess(["header", "--token"], { homeFolder: place }),
  ]);
  for (const run of runs) {
    expect(run, run.everything).toMatchObject({ exitCode: 3, stdout: "" });
    expect(run.stderr).toContain("begins or ends with white space");
    expect(leaks(run.everything)).toEqual([]);
  }
});

test.each([
  ["a token from a device without an end", "$RUN test --token-file /dev/zero", "is too large"],
  [
    "a token from standard input of 64 KiB and a byte",
    "head -c 65537 /dev/zero | tr '\\0' a | $RUN test --token-file -",
    "is too large",
  ],
  [
    "a token from a pipe of 64 KiB and a byte",
    "mkfifo p && (head -c 65537 /dev/zero | tr '\\0' a > p &) && $RUN test --token-file p",
    "is too large",
  ],
  // Latin-1, of which Node.js makes U+FFFD.
  [
    "a secret by variable that is not UTF-8",
    "REFERRAL_SECRET=$(printf 'p\\344sswort') $RUN test --wsse --username me@example.com",
    "is not UTF-8 text",
  ],
  [
    "a token by flag that is not UTF-8",
    '$RUN test --token "$(printf "p\\344sswort")" 2>&1 >/dev/null | grep -v Warning >&2; exit 3',
    "is not UTF-8 text",
  ],
])("%s exits 3 and says so", (_, script, message) => expectMistake(script, message));
