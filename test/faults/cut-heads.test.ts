import type { Socket } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { expect, test } from "vitest";
import { planted } from "../support/planted.ts";
import { runInProcess } from "../support/run.ts";
import { type Act, answering } from "./peers.ts";

// A head that arrives in pieces, cut anywhere inside a secret: no part of it is shown. Numbers are texts, too.

/** Sends the pieces one after another, each in a segment of its own, and leaves the connection open or ends it. */
const inPieces =
  (pieces: readonly string[], ends = true): Act =>
  async (socket: Socket) => {
    socket.setNoDelay(true);
    for (const piece of pieces) {
      socket.write(piece);
      await wait(15);
    }
    if (ends) socket.end();
  };

/** The longest part of a secret that a text holds. */
function longestPart(text: string, secret: string): string {
  const parts = [...secret].flatMap((_, from) => [...secret].map((_, to) => secret.slice(from, to + 1)));
  return parts.filter((part) => text.includes(part)).reduce((a, b) => (b.length > a.length ? b : a), "");
}

/** What both streams hold of a token, in the format that shows the most and in JSON. */
async function shownOf(token: string, act: Act): Promise<string> {
  const { url } = await answering(act);
  const given = { environment: { REFERRAL_TOKEN: token, REFERRAL_BASE_URL: url } };
  const runs = await Promise.all(
    [["--verbose"], ["--json"]].map((more) => runInProcess(["test", "--timeout", "1", ...more], given)),
  );
  return longestPart(runs.map(({ everything }) => everything).join("\n"), token);
}

/** The longest parts that are shown where the text is cut at each place inside the token, in two pieces or in three. */
async function atEachCut(token: string, before: string, after: string, ends: boolean) {
  const places = [...token].map((_, at) => at).slice(1);
  const shown = await Promise.all(
    places.map((at) => {
      const later = Math.min(token.length, at + 13);
      const pieces = [before + token.slice(0, at), token.slice(at, later), token.slice(later) + after];
      return shownOf(
        token,
        inPieces(at % 2 === 0 ? pieces : [`${pieces[0]}`, `${pieces[1]}${pieces[2]}`], ends),
      );
    }),
  );
  return shown.filter((part) => part.length > 6);
}

const { token } = planted;
const body = "Content-Length: 2\r\n\r\n{}";

test.each([
  ["a reason phrase", "HTTP/1.1 401 bad ", `\r\n${body}`],
  [
    "a reason phrase behind an interim response",
    "HTTP/1.1 103 Early\r\n\r\nHTTP/1.1 401 bad ",
    `\r\n${body}`,
  ],
  ["a field of broken HTTP", "HTTP/1.1 401 No\r\nX : 1\r\nX-Note: ", `\r\n${body}`],
  ["a field", "HTTP/1.1 401 No\r\nX-Request-Id: ", `\r\n${body}`],
  ["what is no HTTP", "220 mail ", "\r\n"],
])("%s that is cut anywhere inside the token shows no part of it", async (_, before, after) => {
  expect(await atEachCut(token, before, after, true)).toEqual([]);
});

test.each([
  ["a head that does not end", "HTTP/1.1 401 No\r\nX-Note: "],
  ["a reason phrase that does not end", "HTTP/1.1 401 bad "],
])("%s shows no part of the token that has come", async (_, before) => {
  const shown = await Promise.all(
    [7, 20, 39].map((at) => shownOf(token, inPieces([before + token.slice(0, at)], false))),
  );
  expect(shown.filter((part) => part.length > 6)).toEqual([]);
});

test("a reason phrase in two segments is whole", async () => {
  const { url } = await answering(inPieces(["HTTP/1.1 401 Go aw", `ay now\r\n${body}`]));
  const environment = { REFERRAL_TOKEN: token, REFERRAL_BASE_URL: url };
  const { stderr } = await runInProcess(["test", "--verbose"], { environment });
  expect(stderr).toContain("< HTTP 401 Go away now\n");
});

const digits = "31415926535897932384626433832795";

test.each([
  ["two lengths", 401, ["Content-Length: SECRET", `Content-Length: ${"27".repeat(16)}`]],
  ["a length", 401, ["Content-Length: SECRET"]],
  ["a length beside chunks", 401, ["Content-Length: SECRET", "Transfer-Encoding: chunked"]],
  ["a pause", 503, ["Retry-After: SECRET", "Content-Length: 2"]],
] as const)("a secret of digits in %s is not shown", async (_, status, fields) => {
  for (const secret of [digits, digits.slice(0, 15), digits.slice(0, 9), `000000${digits.slice(0, 9)}`]) {
    const text = `HTTP/1.1 ${status} No\r\n${fields.join("\r\n").replace("SECRET", secret)}\r\n\r\n{}`;
    expect((await shownOf(secret, inPieces([text]))).length).toBeLessThan(7);
  }
});
