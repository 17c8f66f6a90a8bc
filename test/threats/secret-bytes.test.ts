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
