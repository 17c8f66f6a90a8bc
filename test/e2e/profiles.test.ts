import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { main } from "../../src/app.ts";
import { emulate } from "../support/emulate.ts";
import { folderWith } from "../support/folder.ts";
import { leaks } from "../support/planted.ts";
import { contextOf, runInProcess, ways } from "../support/run.ts";
import { json, serve, success } from "../support/serve.ts";
import { linesOf } from "./accounts.ts";
import { checksOf, plain, rcOf } from "./profiles.ts";

describe.each(ways)("profiles, %s,", (_, run) => {
  test("--all reports every profile in the order of the file, even if a later one ends first", async () => {
    let open = 0;
    const api = await serve((_request, response) => {
      open += 1;
      setTimeout(() => json(response, 200, success), 60 / open);
    });
    const homeFolder = folderWith({ ".referralrc": rcOf(api.url, plain(6)) });

    const workingFolder = folderWith();
    const args = ["test", "--all", "--json", "--junit", "report.xml"];
    const result = await run(args, { homeFolder, workingFolder });

    expect(result).toMatchObject({ exitCode: 0, stderr: "" });
    const names = Object.keys(plain(6));
    expect(checksOf(result.stdout).map(({ profile }) => profile)).toEqual(names);
    const xml = readFileSync(join(workingFolder, "report.xml"), "utf8");
    expect(xml.match(/(?<="referral-auth\.)p\d/g)).toEqual(names);
    expect(api.requests).toHaveLength(6);
  });

  test("invalid settings of one account are its result and do not stop the others", async () => {
    const api = await emulate();
    const homeFolder = folderWith({
      ".referralrc": rcOf(api.url, {
        good: {},
        broken: { baseUrl: "ftp://x" },
        wrong: { token: "not-the-token" },
        incomplete: { username: "me@example.com" },
      }),
    });

    const result = await run(["test", "--all", "--json"], { homeFolder });

    expect(result).toMatchObject({ exitCode: 4, stderr: "" });
    expect(checksOf(result.stdout).map(({ profile, method, outcome }) => [profile, method, outcome])).toEqual(
      [
        ["good", "token", "accepted"],
        ["broken", null, "not-checked"],
        ["wrong", "token", "rejected"],
        ["incomplete", null, "not-checked"],
      ],
    );
    expect(leaks(result.everything)).toEqual([]);
  });

  test("--profile may be repeated, and a single unknown one ends the run with a suggestion", async () => {
    const api = await emulate();
    const homeFolder = folderWith({ ".referralrc": rcOf(api.url, { north: {}, south: {} }) });

    const both = await run(["test", "--profile", "south", "--profile", "north", "--json"], { homeFolder });
    expect(checksOf(both.stdout).map(({ profile }) => profile)).toEqual(["south", "north"]);

    const unknown = await run(["test", "--profile", "nort"], { homeFolder });
    expect(unknown).toMatchObject({ exitCode: 3, stdout: "" });
    expect(unknown.stderr).toContain("Did you mean north?");
  });
});

describe("several checks at the same time", () => {
  test.each([
    ["--all", ["p0", "p1", "p2", "p3"]],
    ["--accounts=-", ["p1", "p2", "p3", "p0"]],
  ])(
    "%s --ndjson prints each result as soon as it is finished, also behind one that hangs; JUnit of profiles keeps their order",
    async (accounts, inFile) => {
      const later: (() => void)[] = [];
      const api = await serve((_, response) => {
        const answer = (): void => json(response, 200, success);
        if (api.requests.length > 1) answer();
        else later.push(answer);
      });
      const homeFolder = folderWith({ ".referralrc": rcOf(api.url, plain(4)) });
      const lines = [0, 1, 2, 3].map((index) => JSON.stringify({ profile: `p${index}`, token: "a-token" }));
      const workingFolder = folderWith();
      const given = { homeFolder, workingFolder, stdin: lines.join("\n") };
      const own = contextOf(["test", accounts, "--ndjson", "--concurrency", "2", "--junit", "r.xml"], given);
      const write = async (text: string): Promise<void> => {
        await own.stdout.write(text);
        // The first request is answered once all others are reported.
        if (own.stdout.text.split("\n").length === 4) later[0]?.();
      };
      expect(await main({ ...own, stdout: { ...own.stdout, write } })).toBe(0);
      expect(linesOf(own.stdout.text).map(({ profile }) => profile)).toEqual(["p1", "p2", "p3", "p0"]);
      const xml = readFileSync(join(workingFolder, "r.xml"), "utf8");
      expect(xml.match(/(?<="referral-auth\.)p\d/g)).toEqual(inFile);
    },
  );

  test("never exceed --concurrency", async () => {
    let open = 0;
    let most = 0;
    const api = await serve((_, response) => {
      open += 1;
      most = Math.max(most, open);
      setTimeout(() => {
        open -= 1;
        json(response, 200, success);
      }, 5);
    });
    const homeFolder = folderWith({ ".referralrc": rcOf(api.url, plain(30)) });

    expect((await runInProcess(["test", "--all", "--concurrency", "3"], { homeFolder })).exitCode).toBe(0);

    expect(most).toBe(3);
  });

  test.each([
    ["for what it asks", { "retry-after": "7" }, 7_000],
    ["for a second where it asks for nothing", {}, 1_000],
    ["for no longer than a request may take", { "retry-after": "99999" }, 10_000],
  ])("a 429 pauses its own origin %s, and no other", async (_, headers, pause) => {
    const limited = await serve((_, response) =>
      limited.requests.length === 1 ? json(response, 429, {}, headers) : json(response, 200, success),
    );
    const free = await serve((_, response) => json(response, 200, success));
    const profiles = { a: {}, b: { baseUrl: free.url }, c: {}, d: { baseUrl: free.url } };
    const homeFolder = folderWith({ ".referralrc": rcOf(limited.url, profiles) });
    const waits: number[] = [];
    let now = Date.parse("2026-11-21T12:00:00Z");

    const result = await runInProcess(["test", "--all", "--json", "--concurrency", "1"], {
      homeFolder,
      now: () => now,
      waits: {
        push: (milliseconds) => {
          waits.push(milliseconds);
          now += milliseconds;
        },
      },
    });

    expect(checksOf(result.stdout).map(({ outcome }) => outcome)).toEqual([
      "unavailable",
      "accepted",
      "accepted",
      "accepted",
    ]);
    expect(waits).toEqual([pause]);
    expect(free.requests).toHaveLength(2);
  });
});
