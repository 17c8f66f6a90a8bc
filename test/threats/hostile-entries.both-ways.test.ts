import { chmodSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { accountsFile, linesOf } from "../e2e/accounts.ts";
import { emulate } from "../support/emulate.ts";
import { folderWith } from "../support/folder.ts";
import { planted } from "../support/planted.ts";
import { processorTime } from "../support/processor-time.ts";
import { ways } from "../support/run.ts";

const { token } = planted;
const good = { profile: "good", token };
const nested = (depth: number): string => `${"[".repeat(depth)}${"]".repeat(depth)}`;
const keys = (count: number, profile: string): object =>
  Object.fromEntries([
    ["profile", profile],
    ...Array.from({ length: count }, (_, index) => [`key${index}`, 1]),
  ]);

/** Lines that others wrote into a list of accounts, and what the error says of each. */
const lines: ReadonlyArray<readonly [string, string | object, string]> = [
  ["5,000 levels", `{"profile":"a","token":${nested(5_000)}}`, "sets token to something that is not text"],
  ["20,000 levels of objects", '{"profile":'.repeat(20_000), "is too long"],
  ["5,000 unknown keys", keys(5_000, "key".repeat(300)), "has a key that is not allowed, its second key"],
  ["70,000 unknown keys", keys(70_000, "a"), "is too long"],
  ["20,000 keys and a profile of 500,000 letters", keys(20_000, "key".repeat(166_666)), "is too long"],
  [
    "a profile of 50,000 letters",
    { ...good, profile: "a".repeat(50_000) },
    "has a profile of more than 1000 characters",
  ],
  [
    "a username of 50,000 letters",
    { username: "a".repeat(50_000), secret: "s" },
    "has more than 1000 characters",
  ],
];

describe.each(ways)("text of others in settings, %s:", (_, run) => {
  test.each(lines)("a line with %s is not checked, and the others are", async (_title, line, message) => {
    const { url } = await emulate();
    const file = accountsFile([good, line, good]);
    const args = ["test", "--base-url", url, "--accounts", file, "--ndjson", "--concurrency", "1"];
    const { value, milliseconds } = await processorTime(() => run(args));
    expect(value, value.everything).toMatchObject({ exitCode: 3, stderr: "" });
    const outcomes = linesOf(value.stdout).map(({ outcome }) => outcome);
    expect(outcomes).toEqual(["accepted", "not-checked", "accepted"]);
    expect(value.stdout).toContain(message);
    expect(milliseconds).toBeLessThan(5_000);
  });

  test.each([
    ["a proxy of colons", `proxy: "${":".repeat(8_000)}"`, 3],
    ["a base URL of slashes", `baseUrl: "https://a/${"/".repeat(8_000)}x"`, 0],
    [
      "a base URL of 100,000 letters that 15,000 profiles inherit",
      `baseUrl: https://a/${"x".repeat(100_000)}\nprofiles: {${Array.from({ length: 15_000 }, (_, n) => `p${n}:`).join()}}`,
      3,
    ],
    [
      "8,000 profiles",
      `profiles:\n${Array.from({ length: 8_000 }, (_, n) => `  name${n}: {token: ${n}xxxx}\n`).join("")}`,
      3,
    ],
  ])("a found rc file with %s keeps no command busy", async (_title, content, exitCode) => {
    const workingFolder = folderWith({ ".referralrc": `${content}\n` });
    // A file with a token must be closed to others.
    if (!content.includes("token")) chmodSync(join(workingFolder, ".referralrc"), 0o644);
    const commands: ReadonlyArray<readonly [readonly string[], number]> = [
      ...(content.includes("p14999:") ? [[["config", "--all"], exitCode] as const] : []),
      [
        ["config", ...(exitCode === 3 && content.startsWith("profiles") ? ["--profile", "nmae1"] : [])],
        exitCode,
      ],
      [["test", "--token", "t", "--base-url", "https://x.invalid", "--profile", "none"], 3],
      [["completion", "bash", "--", "referral-auth test --profile ", ""], 0],
    ];
    for (const [args, expected] of commands) {
      const { value, milliseconds } = await processorTime(() => run(args, { workingFolder }));
      expect(value.exitCode, value.everything).toBe(expected);
      expect(value.stderr).not.toContain("a bug");
      expect(milliseconds).toBeLessThan(5_000);
    }
  });

  test.each([":", "/", "a,", "_PORT_", "1", "@:"])(
    "variables of 100 KB of %j keep no command busy",
    async (mark) => {
      const text = `https://a/${mark.repeat(100_000 / mark.length)}x`;
      const names = ["BASE_URL", "TOKEN", "USERNAME", "SECRET", "DIGEST", "TIMEOUT", "CA_CERT", "PROFILE"];
      const environment = {
        ...Object.fromEntries(names.map((name) => [`REFERRAL_${name}`, text])),
        ...Object.fromEntries(Array.from({ length: 2_000 }, (_, index) => [`REFERRAL_TOKE${index}`, "x"])),
        ...{ HTTPS_PROXY: text, NO_PROXY: text, PATH: text },
      };
      const commands = [
        ["config"],
        ["test"],
        ["completion", "bash", "--", "referral-auth test --profile ", ""],
      ];
      for (const args of commands) {
        const { value, milliseconds } = await processorTime(() => run(args, { environment }));
        expect([0, 3], value.everything).toContain(value.exitCode);
        expect(value.stderr).not.toContain("a bug");
        expect(milliseconds).toBeLessThan(5_000);
      }
    },
  );

  test("a found rc file may have 64 KiB, and one that is named 8 MiB", async () => {
    const size = 64 * 1024;
    const content = "#".repeat(size);
    const workingFolder = folderWith({ ".referralrc": content });
    expect(await run(["config"], { workingFolder })).toMatchObject({ exitCode: 0, stderr: "" });
    const larger = folderWith({ ".referralrc": `${content}#` });
    const file = join(larger, ".referralrc");
    const found = await run(["config"], { workingFolder: larger });
    expect(found).toMatchObject({ exitCode: 3, stdout: "" });
    expect(found.stderr.replace(/\s+/g, " ")).toContain(
      `The rc file ${file} is too large: it has more than 64 KiB`,
    );
    expect(await run(["config", "--config", file])).toMatchObject({ exitCode: 0, stderr: "" });
  });

  test("a command that cannot be started for the length of its words leaves its account not checked", async () => {
    const { url } = await emulate();
    const tokenCommand = ["echo", "a".repeat(200_000)];
    const profiles = { bad: { tokenCommand }, good: { token } };
    const homeFolder = folderWith({ ".referralrc": { baseUrl: url, profiles } });
    const result = await run(["test", "--all", "--ndjson"], { homeFolder });
    expect(result, result.everything).toMatchObject({ exitCode: 3, stderr: "" });
    expect(linesOf(result.stdout).map(({ outcome }) => outcome)).toEqual(["not-checked", "accepted"]);
    expect(result.stdout).toContain("could not be started: argument list too long (E2BIG)");
  });
});
