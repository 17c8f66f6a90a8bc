import { describe, expect, test } from "vitest";
import { emulate } from "../support/emulate.ts";
import { ways } from "../support/run.ts";
import { accept, place, plain } from "./profiles.ts";

const inJunit = (xml: string | null) => xml?.match(/(?<="referral-auth\.)p\d/g);
const nobody = "http://127.0.0.1:1";

describe.each(ways)("profiles, %s,", (_, run) => {
  test("invalid settings of one account are its result and do not stop the others", async () => {
    const { folder } = await place({
      url: (await emulate()).url,
      profiles: {
        good: {},
        broken: { baseUrl: "ftp://x" },
        wrong: { token: "not-the-token" },
        incomplete: { username: "me@example.com" },
      },
    });

    const { exitCode, stderr, checks } = await run(["test", "--all", "--json"], { homeFolder: folder });

    expect([exitCode, stderr]).toEqual([4, ""]);
    expect(checks.map(({ profile, method, outcome }) => [profile, method, outcome])).toEqual([
      ["good", "token", "accepted"],
      ["broken", null, "not-checked"],
      ["wrong", "token", "rejected"],
      ["incomplete", null, "not-checked"],
    ]);
  });
});

/** A line of --accounts for each of so many profiles. */
const linesOf = (count: number) =>
  Object.keys(plain(count)).map((profile) => JSON.stringify({ profile, token: "a-token" }));

test.each([
  ["--all", "--ndjson", ["p0", "p1", "p2", "p3"]],
  ["--accounts=-", "--json", ["p1", "p2", "p3", "p0"]],
])(
  "%s %s prints each result as soon as it is finished, also behind one that hangs; JUnit of profiles keeps their order",
  async (accounts, form, expected) => {
    const later: (() => void)[] = [];
    const { api, run } = await place({
      profiles: plain(4),
      answer: (...given) => (api.requests.length > 1 ? accept(...given) : later.push(() => accept(...given))),
    });
    const args = [accounts, form, "--concurrency", "2", "--junit", "report.xml"];
    const { exitCode, checks, file } = await run(args, {
      stdin: linesOf(4).join("\n"),
      broken: ({ stdout }) => ({
        stdout: {
          isTerminal: false,
          write: async (text) => {
            await stdout.write(text);
            // The first request is answered once all others are reported.
            if (stdout.text.match(/"outcome"/g)?.length === 3) later[0]?.();
          },
        },
      }),
    });
    expect(exitCode).toBe(0);
    expect(checks.map(({ profile }) => profile)).toEqual(["p1", "p2", "p3", "p0"]);
    expect(inJunit(file("report.xml"))).toEqual(expected);
  },
);

test("a run over several accounts warns once that another base URL counts", async () => {
  const { exitCode, stderr } = await (await place()).run(["--all"], {
    environment: { REFERRAL_BASE_URL: nobody },
  });
  expect(exitCode).toBe(0);
  expect(stderr.match(/Warning: REFERRAL_BASE_URL is set and not used/g)).toHaveLength(1);
});
