import { describe, expect, test } from "vitest";
import { folderWith } from "../support/folder.ts";
import { leaks, planted } from "../support/planted.ts";
import { json, serve, success } from "../support/serve.ts";
import { expectMistake, inShell } from "./shell.ts";

const surroundings: ReadonlyArray<readonly [string, string, Readonly<Record<string, string>>]> = [
  ["closed standard input", "$RUN test <&-", { HOME: "/nowhere" }],
  ["a terminal's absence", "setsid -w $RUN test 2>&1 </dev/null", { HOME: "/nowhere" }],
  ["no HOME", "unset HOME; $RUN test", {}],
  ["an empty HOME", "$RUN test", { HOME: "" }],
  ["a HOME that does not exist", "$RUN test", { HOME: "/nowhere" }],
  ["a HOME that is a file", "$RUN test", { HOME: "/dev/null" }],
  ["a relative HOME", "$RUN test", { HOME: "." }],
  ["a deleted working directory", 'mkdir gone && cd gone && rmdir "$PWD" && $RUN test', { HOME: "/nowhere" }],
  [
    "a deleted working directory and no HOME",
    'mkdir gone && cd gone && rmdir "$PWD" && unset HOME && $RUN test',
    {},
  ],
  ["no PATH", "unset PATH; $RUN test", { HOME: "/nowhere" }],
  ["a language that is not installed", "$RUN test", { HOME: "/nowhere", LC_ALL: "xx_XX.UTF-8", LANG: "tlh" }],
  ["an unlikely terminal", "$RUN test", { HOME: "/nowhere", TERM: "\u001b[31m", COLUMNS: "-1" }],
];

describe.each([
  ["accepted", 200, 0],
  ["refused", 401, 4],
] as const)("an %s credential", (_, status, exitCode) => {
  test.each(surroundings)(`keeps its exit code ${exitCode} with %s`, async (_name, script, environment) => {
    const api = await serve((_request, response) => json(response, status, { ...success, code: status }));
    const given = { ...environment, REFERRAL_TOKEN: planted.token, REFERRAL_BASE_URL: api.url };
    const run = await inShell(script, given, folderWith());
    expect(run.exitCode, run.everything).toBe(exitCode);
    expect(run.stderr).toBe("");
    expect(run.stdout).toMatch(/^(?:accepted|REJECTED) +token: /);
    expect(run.stdout).not.toContain("\u001b");
    expect(leaks(run.everything)).toEqual([]);
    expect(api.requests).toHaveLength(1);
  });
});

test.each([
  ["a token from closed standard input", "$RUN test --token-file - <&-", "is empty"],
  [
    "a relative path in a deleted working directory",
    'mkdir gone && cd gone && rmdir "$PWD" && $RUN test --token-file t',
    "working directory no longer exists",
  ],
  [
    "a relative --config in a deleted working directory",
    'mkdir gone && cd gone && rmdir "$PWD" && $RUN test --config rc',
    "working directory no longer exists",
  ],
])("%s exits 3 and says so", (_, script, message) => expectMistake(script, message));
