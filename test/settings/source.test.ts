import { expect, test } from "vitest";
import { describeFileProblem } from "../../src/settings/file-problem.ts";
import { describePart, describeSource, type Source } from "../../src/settings/source.ts";
import { FileProblem } from "../../src/system/file-reading.ts";

const rc = (key: string): Source => ({
  kind: "rc",
  file: "/home/me/.referralrc",
  line: 3,
  key,
  trust: "yours",
});
const environment: Source = { kind: "environment", variable: "REFERRAL_TOKEN" };

test.each([
  [{ kind: "flag", flag: "--token" }, "--token", "token from --token"],
  [environment, "REFERRAL_TOKEN", "token from REFERRAL_TOKEN"],
  [rc("token"), "token in /home/me/.referralrc, line 3", "token in /home/me/.referralrc, line 3"],
  [
    rc("tokenFile"),
    "tokenFile in /home/me/.referralrc, line 3",
    "token from tokenFile in /home/me/.referralrc, line 3",
  ],
  [{ kind: "default" }, "the default", "token from the default"],
] as const)("messages name the source %j", (source, place, part) => {
  expect([describeSource(source), describePart("token", source)]).toEqual([place, part]);
});

test.each([
  ["ENOENT", "does not exist"],
  ["ENOTDIR", "does not exist"],
  ["EACCES", "cannot be read: permission denied"],
  ["EPERM", "cannot be read: permission denied"],
  ["EISDIR", "is a folder, not a file"],
  ["ELOOP", "is a symbolic link that leads back to itself"],
  ["NOT_REGULAR", "is not a regular file"],
  ["ENXIO", "is not a regular file"],
  ["TOO_LARGE", "is too large"],
  ["EIO", "cannot be read (EIO)"],
])("a file that is not read because of %s %s", (code, problem) => {
  expect(describeFileProblem(new FileProblem(code))).toBe(problem);
});
