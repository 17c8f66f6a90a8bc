import type { Socket } from "node:net";
import fc from "fast-check";
import { expect, test } from "vitest";
import { answer } from "../faults/answers.ts";
import { answering } from "../faults/peers.ts";
import { writings, writtenWith } from "./echoes.ts";
import { manyRuns, numRuns } from "./runs.ts";
import { everythingShown, outputs } from "./shown.ts";

const length = 40;
const tokens = fc.oneof(
  fc.string({ unit: fc.constantFrom(..."0123456789abcdef"), minLength: length, maxLength: length }),
  fc.string({
    unit: fc.constantFrom(..."QXZJKVWqxzjkvw2345789+/=_-.%&"),
    minLength: length,
    maxLength: length,
  }),
);
const most = 6;

/** What a text can mean: as it is, and decoded up to three times by everything that SECURITY.md lists. */
function meanings(text: string): readonly string[] {
  const bytes = (pattern: RegExp, encoding: "base64" | "hex", unit: number) => (from: string) =>
    (from.match(pattern) ?? [])
      .flatMap((run) =>
        [...Array(unit).keys()].map((start) => Buffer.from(run.slice(start), encoding).toString("latin1")),
      )
      .join("\n");
  const code = (text: string, base: number): string =>
    String.fromCodePoint(Math.min(0xffff, Number.parseInt(text, base)));
  const decoders = [
    (from: string) => from.replace(/%([0-9a-f]{2})/gi, (_, byte) => code(byte, 16)),
    (from: string) =>
      from
        .replace(/&#(?:x([0-9a-f]+)|(\d+));/gi, (_, hex, decimal) =>
          hex === undefined ? code(decimal, 10) : code(hex, 16),
        )
        .replace(
          /&(amp|lt|sol);/g,
          (_, name: "amp" | "lt" | "sol") => ({ amp: "&", lt: "<", sol: "/" })[name],
        ),
    (from: string) => from.replace(/\\u([0-9a-f]{4})/gi, (_, unit) => code(unit, 16)).replace(/\\(.)/g, "$1"),
    bytes(/[\w+/-]{10,}/g, "base64", 4),
    bytes(/[0-9a-f]{14,}/gi, "hex", 2),
  ];
  const all = new Set([text]);
  let last = [text];
  for (let times = 0; times < 3; times += 1) {
    last = last.flatMap((from) => decoders.map((decode) => decode(from))).filter((form) => !all.has(form));
    for (const form of last) all.add(form);
  }
  return [...all].map((form) => form.toLowerCase());
}

/** The longest part of each token that a text shows, in any letter case; only those of more than six characters. */
const partsIn = (texts: readonly string[], token: string): readonly string[] =>
  [...Array(length - most).keys()]
    .map((at) => token.slice(at, at + most + 1))
    .filter((part) => texts.some((text) => text.includes(part.toLowerCase())));

/** Sends a response whose text is cut behind so many characters of what is written of the secret. */
type Cut = (socket: Socket, written: string, at: number) => void;

const bodyLimit = 64 * 1024;
const page =
  (before: string, after: string): Cut =>
  (socket, written, at) => {
    const padding = "x".repeat(bodyLimit - before.length - after.length - at);
    const body = before + padding + after + written + " and more".repeat(20);
    socket.end(answer("401 No", body, ["Content-Type: text/html"]));
  };
const atLimit =
  (limit: number, bodyOf: (text: string) => string): Cut =>
  (socket, written, at) =>
    socket.end(
      answer("401 No", bodyOf("~".repeat(Math.max(0, limit - at)) + written + " and more".repeat(60))),
    );
const inPieces =
  (before: string, after: string): Cut =>
  async (socket, written, at) => {
    const second = Math.min(written.length, at + (at % 3) * 2);
    const pieces = [before + written.slice(0, at), written.slice(at, second), written.slice(second) + after];
    for (const piece of pieces) {
      // Node gives each of them to the client alone, if the client is not slower.
      await new Promise((resolve) => setTimeout(resolve, 2));
      if (piece !== "") socket.write(piece, "latin1");
    }
    socket.end();
  };
const field = (line: string, status = "401 No"): Cut =>
  inPieces(`HTTP/1.1 ${status}\r\nContent-Length: 0\r\n${line}`, "\r\n\r\n");
/** Takes turns. */
function each(...cuts: readonly Cut[]): Cut {
  let next = 0;
  return (...given) => cuts[next++ % cuts.length]?.(...given);
}
const limits = [80, 300, 500];

const places: Readonly<Record<string, Cut>> = {
  "a page behind a long script": page("<html><script>", "</script>Bad token "),
  "a title behind a long comment": page("<!--", "--><title>Bad token "),
  "a text behind much white space": (socket, written, at) =>
    socket.end(answer("401 No", `Bad token${" ".repeat(bodyLimit - 9 - at)}${written} and more`, [])),
  "a message at the limits of what is shown": each(
    ...limits.map((limit) => atLimit(limit, (message) => JSON.stringify({ code: 401, message }))),
  ),
  "a text at the limits of what is shown": each(...limits.map((limit) => atLimit(limit, (text) => text))),
  "a field in two and three pieces": each(
    inPieces("HTTP/1.1 401 No ", "\r\nContent-Length: 2\r\n\r\n{}"),
    inPieces("HTTP/1.1 103 Early\r\n\r\nHTTP/1.1 401 No ", "\r\nContent-Length: 2\r\n\r\n{}"),
    inPieces("220 mail ", "\r\n"),
    // A response that breaks a rule is shown as it came.
    field("Content-Length: "),
    field("X-Echo : "),
    field("X-Echo: "),
    field("Server: "),
    field('WWW-Authenticate: Basic realm="'),
    field("Location: https://example.com/", "302 Found"),
  ),
};

const names = Object.keys(writings).filter((name) => !name.startsWith("behind"));

test.each(Object.entries(places))(
  "a secret that is cut is shown in no part, at whichever of its characters, however it is written: %s",
  manyRuns,
  async (_, send) => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(tokens, { minLength: names.length, maxLength: names.length }),
        fc.nat(length),
        fc.constantFrom(...outputs),
        async (secrets, first, output) => {
          const sent = secrets.flatMap((token, index) => {
            const written = writtenWith([names[index] ?? ""], token);
            // Three of the places, the first of which is drawn.
            return [0, 13, 27].map((step) => {
              const share = ((first + index + step) % (length + 1)) / length;
              return { token, written, at: Math.round(share * written.length) };
            });
          });
          let next = 0;
          const { url } = await answering((socket) => {
            const { written = "", at = 0 } = sent[next++] ?? {};
            send(socket, written, at);
          });
          const accounts = sent.map(({ token }) => ({ token, baseUrl: url }));
          const texts = meanings(await everythingShown(accounts, output));
          expect(next).toBe(sent.length);
          expect(secrets.flatMap((token) => partsIn(texts, token))).toEqual([]);
        },
      ),
      // To search for a smaller failure takes a run each time.
      { numRuns: Math.ceil(numRuns / 100), endOnFailure: true },
    );
  },
);

test("what has the form of a token is shown as that in texts of others, whoever's it is, but for a request id", async () => {
  const [own, others, id] = ["c", "0", "f"].map((digit) => `${digit}0ffee11deadbeef22c0ffee33deadbeef44001b`);
  const encoded = Buffer.from(others ?? "").toString("base64");
  const body = {
    code: 401,
    message: `Not ${own} but token=${others}, %3D${others} or ${others?.toUpperCase()}`,
  };
  const lines = [`X-Request-Id: ${id}`, `Server: ${others}`, `X-Echo: ${encoded}`, `Location: /a/${others}`];
  const { url } = await answering((socket) => socket.end(answer("401 No", JSON.stringify(body), lines)));
  for (const output of outputs) {
    const shown = await everythingShown([{ token: own, baseUrl: url }], output);
    const mark = "[40 hexadecimal characters, …001b]";
    const readable = shown.replaceAll("\\u2026", "…");
    expect(readable).toContain(`Not [secret] but token=${mark}, %3D${mark} or ${mark.replace("b]", "B]")}`);
    expect(readable).toContain(id);
    expect(readable.toLowerCase()).not.toContain(others);
    expect(readable).not.toContain(encoded);
  }
});
