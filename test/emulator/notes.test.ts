import { describe, expect, test } from "vitest";
import type { RequestCredentials } from "../../src/emulator/authenticate.ts";
import { Interrupted } from "../../src/errors.ts";
import { clock, headerWith, withWsse } from "./authenticated.ts";
import { startRun, until } from "./start-run.ts";
import { credentials, type Received, send, wsse } from "./support.ts";

describe("on standard error, the command", () => {
  const line = "2026-11-21T03:31:00Z GET /test-authentication";
  const shapes =
    "note: Nonce is not 40 hexadecimal characters; note: Created is not of the form YYYY-MM-DDThh:mm:ss+00:00";
  const given = [
    "--token",
    credentials.token,
    "--username",
    credentials.username,
    "--secret",
    credentials.secret,
  ];

  /** Runs `emulator` with these arguments and sends these requests to it. Resolves with the statuses and its log. */
  async function log(args: readonly string[], requests: readonly RequestCredentials[]) {
    const run = startRun([...given, ...args]);
    await until(() => run.stdout() !== "");
    const url = /REFERRAL_BASE_URL='([^']*)'/.exec(run.stdout())?.[1] ?? "";
    const answers: Received[] = [];
    for (const {
      wsse: [header = ""],
      authorization: [field],
    } of requests) {
      const headers = { "X-WSSE": header, ...(field !== undefined && { Authorization: field }) };
      answers.push(await send(url, { headers }));
    }
    run.interrupt("SIGINT");
    await expect(run.ended).rejects.toBeInstanceOf(Interrupted);
    return { answers, lines: run.stderr().trimEnd().split("\n") };
  }

  test("notes unusual shapes of what it accepts and of what it refuses", async () => {
    const wrong = headerWith("abc", clock, { hash: "sha512" });
    const { answers, lines } = await log([], [headerWith("ab", clock), wrong]);
    expect(answers.map(({ status }) => status)).toEqual([200, 401]);
    expect(lines).toEqual([
      `${line} 200 accepted: X-WSSE; ${shapes}`,
      `${line} 401 digest: matches sha512; this server expects sha1; ${shapes}`,
    ]);
  });

  test("refuses unusual shapes with --strict", async () => {
    const { answers, lines } = await log(
      ["--strict", "--explain"],
      [headerWith("ab", clock), withWsse(wsse())],
    );
    expect(answers.map(({ status }) => status)).toEqual([401, 200]);
    expect(answers[0]?.body).toContain(`malformed: ${shapes.replaceAll("note: ", "")}`);
    expect(lines[0]).toBe(`${line} 401 malformed: ${shapes.replaceAll("note: ", "")}`);
  });

  test("refuses X-WSSE alone with --authorization wsse, and tells so with --explain", async () => {
    const both = { ...withWsse(wsse()), authorization: ['WSSE profile="UsernameToken"'] };
    const { answers, lines } = await log(["--authorization", "wsse", "--explain"], [withWsse(wsse()), both]);
    const reason = 'authorization: Authorization: WSSE profile="UsernameToken" was not sent beside X-WSSE';
    expect(answers.map(({ status }) => status)).toEqual([401, 200]);
    expect(JSON.parse(answers[0]?.body ?? "").message).toContain(reason);
    expect(lines[0]).toBe(`${line} 401 ${reason}`);
  });

  test("with a command to run, logs accepted requests only for a new note", async () => {
    const usual = clock.replace(".000Z", "+00:00");
    const requests = [
      withWsse(wsse()),
      headerWith("a", usual),
      headerWith("b", usual),
      headerWith("c", clock),
    ];
    const script = `(async () => {
      for (const value of process.argv.slice(1))
        await fetch(process.env.REFERRAL_BASE_URL + "/test-authentication", { headers: { "X-WSSE": value } });
    })()`;
    const values = requests.map(({ wsse: [value = ""] }) => value);
    const run = startRun([...given, "--", process.execPath, "-e", script, ...values]);
    expect(await run.ended).toEqual([0]);
    expect(run.stderr().trimEnd().split("\n")).toEqual([
      `${line} 200 accepted: X-WSSE; ${shapes.split("; ")[0]}`,
      `${line} 200 accepted: X-WSSE; ${shapes}`,
    ]);
  });
});
