import { test } from "vitest";
import { expectMistake } from "./shell.ts";

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
])("%s exits 3 and says so", (_, script, message) => expectMistake(script, message));
