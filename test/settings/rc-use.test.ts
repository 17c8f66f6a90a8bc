import { Readable } from "node:stream";
import { describe, expect, test } from "vitest";
import { main } from "../../src/app.ts";
import { collect } from "../../src/system/byte-stream.ts";
import { folderWith } from "../support/folder.ts";
import { leaks, planted } from "../support/planted.ts";
import { contextOf, type Run, runInProcess } from "../support/run.ts";

/** Runs the program with this rc file in the home folder. */
const runWith = (args: readonly string[], rc: object): Promise<Run> =>
  runInProcess(args, { homeFolder: folderWith({ ".referralrc": JSON.stringify(rc) }) });

describe("profiles that there are not", () => {
  test("--all without an rc file exits 3", async () => {
    const result = await runInProcess(["test", "--all"]);
    expect(result).toMatchObject({ exitCode: 3, stdout: "" });
    expect(result.stderr).toContain("there is no rc file");
  });

  test("--all with an rc file without profiles exits 3 and names the file", async () => {
    const result = await runWith(["test", "--all"], { timeout: 5 });
    expect(result).toMatchObject({ exitCode: 3, stdout: "" });
    expect(result.stderr).toMatch(/\.referralrc\s+has\s+none/);
  });

  test("--profile without an rc file exits 3", async () => {
    const result = await runInProcess(["test", "--profile", "north"]);
    expect(result).toMatchObject({ exitCode: 3, stdout: "" });
    expect(result.stderr).toContain("there is no rc file");
  });

  test("the error lists those that there are, ten at most and the nearest first", async () => {
    const names = Array.from({ length: 12 }, (_, index) => `account-${index}`);
    const profiles = Object.fromEntries([...names, "north"].map((name) => [name, {}]));
    const result = await runWith(["test", "--profile", "nort"], { profiles });
    const said = result.stderr.replace(/\s+/g, " ");
    expect(said).toContain(
      `Did you mean north? The file has: north, ${names.slice(0, 9).join(", ")}, and 3 more`,
    );
  });

  test("the error lists those that contain what was written before others", async () => {
    const names = Array.from({ length: 12 }, (_, index) => `p${index}`);
    const profiles = Object.fromEntries([...names, "eu-Prod", "production"].map((name) => [name, {}]));
    const result = await runWith(["test", "--profile", "prod"], { profiles });
    expect(result.stderr.replace(/\s+/g, " ")).toContain(
      `The file has: eu-Prod, production, ${names.slice(0, 8).join(", ")}, and 4 more`,
    );
  });

  test("the error shows no name that holds a secret of the file", async () => {
    const profiles = { [planted.token]: { token: planted.token }, [`of ${planted.secret}`]: {}, north: {} };
    const rc = { secret: planted.secret, profiles };
    const result = await runWith(["test", "--json", "--profile", planted.token.slice(1)], rc);
    expect(leaks(result.everything)).toEqual([]);
    expect(result.stderr.replace(/\s+/g, " ")).toContain("The file has: north, and 2 more");
  });

  test("a profile of its own kind has nobody it could be meant for", async () => {
    const result = await runWith(["test", "--profile", "zzzzzz"], { profiles: { north: {} } });
    expect(result.exitCode).toBe(3);
    expect(result.stderr).not.toContain("Did you mean");
  });
});

describe("config", () => {
  test("names the profile that it shows, and takes $schema for no setting", async () => {
    const rc = { $schema: "./rc.schema.json", timeout: 5, profiles: { north: { timeout: 7 } } };
    const result = await runWith(["config", "--profile", "north"], rc);
    expect(result).toMatchObject({ exitCode: 0, stderr: "" });
    expect(result.stdout).toMatch(/^profile +north$/m);
    expect(result.stdout).toMatch(/^timeout +7 /m);
    expect(result.stdout).not.toContain("$schema");
  });

  test("says which credential is withheld, and why", async () => {
    const workingFolder = folderWith({ ".referralrc": "baseUrl: https://foreign.example\n" });
    const result = await runInProcess(["config"], {
      workingFolder,
      environment: { REFERRAL_TOKEN: planted.token },
    });
    expect(result.stdout).toMatch(
      /^withheld {6}token: REFERRAL_TOKEN is yours and is not sent to the base URL in /m,
    );
    expect(leaks(result.everything)).toEqual([]);
  });
});

describe("a secret", () => {
  test("of an rc file that was only found does not come from standard input, and the flag for it is named", async () => {
    const rc = { baseUrl: "https://a.example", username: planted.username, secretFile: "-" };
    const workingFolder = folderWith({ ".referralrc": JSON.stringify(rc) });
    const result = await runInProcess(["test"], { workingFolder, stdin: planted.secret });
    expect(result).toMatchObject({ exitCode: 3, stdout: "" });
    expect(result.stderr).toContain("Pass --secret-file - yourself");
  });

  test("from standard input ends at its limit", async () => {
    const context = {
      ...contextOf(["header", "--token", "--token-file", "-"]),
      readStdin: (maxBytes: number) =>
        collect(Readable.from([Buffer.alloc(maxBytes), Buffer.from("x")]), maxBytes, AbortSignal.any([])),
    };
    expect(await main(context)).toBe(3);
    expect(context.stderr.text).toContain("standard input, which is too large");
  });

  test("whose file the system cannot open for a reason of its own is a mistake that names it", async () => {
    const result = await runInProcess(["header", "--token", "--token-file", `./${"n".repeat(300)}`]);
    expect(result.exitCode).toBe(3);
    expect(result.stderr.replace(/\s+/g, " ")).toContain("cannot be read (ENAMETOOLONG)");
  });

  test("that is no text is a mistake", async () => {
    const workingFolder = folderWith();
    const context = {
      ...contextOf(["header", "--token", "--token-file", "-"], { workingFolder }),
      readStdin: async () => Buffer.from([0xff, 0x80]),
    };
    expect(await main(context)).toBe(3);
    expect(context.stderr.text).toContain("is not UTF-8 text");
  });
});

test.each([
  ["text", "no certificate"],
  ["a private key", "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"],
  ["a damaged certificate", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"],
  ["a certificate that is cut off", "-----BEGIN CERTIFICATE-----\nMIIBhTCCASugAwIBAgIQ\n"],
])("a CA file that holds only %s exits 3", async (_, content) => {
  const workingFolder = folderWith({ "ca.pem": content });
  const result = await runInProcess(["test", "--ca-cert", "ca.pem"], {
    workingFolder,
    environment: { REFERRAL_BASE_URL: "https://a.example", REFERRAL_TOKEN: planted.token },
  });
  expect(result).toMatchObject({ exitCode: 3, stdout: "" });
  expect(result.stderr).toContain("--ca-cert names a file without a PEM certificate");
});
