import { expect, test } from "vitest";
import { folderWith } from "./places.ts";
import { inShell } from "./shell.ts";

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
])("%s exits 3 and says so", async (_, script, message) => {
  const run = await inShell(
    script,
    { HOME: "/nowhere", REFERRAL_BASE_URL: "http://127.0.0.1:1" },
    folderWith(),
  );
  expect(run, run.everything).toMatchObject({ exitCode: 3, stdout: "" });
  expect(run.stderr).toContain(message);
});
