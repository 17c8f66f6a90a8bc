import { get } from "node:http";
import fc from "fast-check";
import { expect, test } from "vitest";
import { exitCodes } from "../../src/exit-codes.ts";
import { type Act, answering } from "../faults/peers.ts";
import { planted } from "../support/planted.ts";
import { runInProcess } from "../support/run.ts";
import { manyRuns, numRuns } from "./runs.ts";

const body = JSON.stringify({ code: 200, message: "Hello, user! You are successfully authenticated." });
const head = (more: string): string =>
  `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nCache-Control: no-cache\r\nAllow: GET, OPTIONS\r\n${more}\r\n`;
const valid = [
  `${head(`Content-Length: ${body.length}\r\n`)}${body}`,
  `${head("Transfer-Encoding: chunked\r\n")}${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`,
  `${head("Connection: close\r\n")}${body}`,
  `HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n${head(`Content-Length: ${body.length}\r\n`)}${body}`,
].map((text) => Buffer.from(text, "latin1"));

type Mutation = (bytes: Buffer) => Buffer;

// Evenly over the bytes; `fc.double` is even over its own notation, and nearly always next to zero.
const place = fc.nat(0xffff).map((number) => number / 0x10000);
const at = (bytes: Buffer, fraction: number): number => Math.floor(fraction * bytes.length);

/** Replaces the bytes between two places by what is made of them. */
const replacing =
  (from: number, to: number, make: (part: Buffer) => Uint8Array): Mutation =>
  (bytes) => {
    const [start, end] = [at(bytes, Math.min(from, to)), at(bytes, Math.max(from, to))];
    return Buffer.concat([bytes.subarray(0, start), make(bytes.subarray(start, end)), bytes.subarray(end)]);
  };
const twoPlaces = fc.tuple(place, place);

const mutations = fc.array(
  fc.oneof(
    fc.tuple(place, fc.nat(255)).map(
      ([where, byte]): Mutation =>
        (bytes) =>
          Buffer.from(bytes.with(at(bytes, where), byte)),
    ),
    place.map((from) => replacing(from, 1, () => Buffer.alloc(0))),
    twoPlaces.map(([from, to]) => replacing(from, to, () => Buffer.alloc(0))),
    twoPlaces.map(([from, to]) => replacing(from, to, (part) => Buffer.concat([part, part]))),
  ),
  { maxLength: 3 },
);

/** Sends the bytes to every client, cut at these places, and then ends the connection. */
const sendsInPieces =
  (served: { readonly bytes: Buffer; readonly cuts: readonly number[] }): Act =>
  (socket) => {
    const { bytes, cuts } = served;
    const places = [0, ...cuts.map((cut) => at(bytes, cut)).sort((a, b) => a - b), bytes.length];
    const pieces = places.slice(1).map((end, index) => bytes.subarray(places[index], end));
    const next = (): void => {
      const piece = pieces.shift();
      if (piece === undefined) socket.end();
      else socket.write(piece, () => setImmediate(next));
    };
    socket.setNoDelay();
    next();
  };

/**
 * In status lines, a CR without LF as a space, which a recipient may make of it (RFC 9112, section 2.2): undici's parser
 * takes two CR for the end of the line, Node's not any more (llhttp, pull request 865).
 */
const withoutBareCr = (text: string): string =>
  text.replace(/^HTTP\/1\.1 [^\n]*/gm, (line) => line.replace(/\r(?!$)/g, " "));

/**
 * Without empty Transfer-Encoding fields that stand beside another one. The fields are one list (RFC 9110, section 5.3), of
 * which a recipient ignores empty elements (section 5.6.1.2), so `chunked` is still its last coding (RFC 9112, section
 * 6.3). undici reads it so; Node's client refuses the response.
 */
const withoutEmptyCodings = (text: string): string =>
  /^Transfer-Encoding:[ \t]*[^ \t\r\n]/im.test(text)
    ? text.replace(/^Transfer-Encoding:[ \t]*\r?\n(?![ \t])/gim, "")
    : text;

function isSuccess(status: number | undefined, body: Uint8Array): boolean {
  try {
    const { code, message } = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
    return status === 200 && code === 200 && typeof message === "string" && message !== "";
  } catch {
    return false;
  }
}

/** Whether Node's own client finds the specified success in the same bytes. */
function fulfilsContract(url: string): Promise<boolean> {
  return new Promise((resolve) => {
    let complete = (): boolean => false;
    const request = get(url, { agent: false }, (response) => {
      complete = () => response.complete;
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.once("end", () => resolve(isSuccess(response.statusCode, Buffer.concat(chunks))));
      response.once("error", () => resolve(false));
      response.once("close", () => resolve(false));
    });
    // What follows an answer in the same packet is an error while that answer, which is complete, is yet to be read.
    request.once("error", () => {
      if (!complete()) resolve(false);
    });
  });
}

test(
  "a mutated success gives a documented code in little processor time, and 0 only where it still is one",
  manyRuns,
  async () => {
    const served: { bytes: Buffer; cuts: readonly number[] } = { bytes: Buffer.alloc(0), cuts: [] };
    const { url } = await answering(sendsInPieces(served));
    const environment = { REFERRAL_TOKEN: planted.token, REFERRAL_BASE_URL: url };
    const documented: readonly number[] = exitCodes.map(({ code }) => code).filter((code) => code !== 1);
    const codes = new Set<number>();
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...valid),
        mutations,
        fc.array(place, { maxLength: 4 }),
        async (bytes, changes, cuts) => {
          served.bytes = changes.reduce(
            (changed: Buffer, mutate) => (changed.length > 0 ? mutate(changed) : changed),
            bytes,
          );
          served.cuts = cuts;
          const before = process.threadCpuUsage();
          const run = await runInProcess(["test", "--timeout", "5"], { environment });
          // Processor time, which other processes do not take. A run that waits for ever meets the timeout of this test.
          const { user, system } = process.threadCpuUsage(before);
          expect((user + system) / 1_000).toBeLessThan(1_000);
          codes.add(run.exitCode);
          expect(documented).toContain(run.exitCode);
          if (run.exitCode !== 0) return;
          const text = withoutEmptyCodings(withoutBareCr(served.bytes.toString("latin1")));
          served.bytes = Buffer.from(text, "latin1");
          expect(await fulfilsContract(url), text).toBe(true);
        },
      ),
      { numRuns },
    );
    // If all responses were refused, or all accepted, the property would prove nothing.
    expect([...codes]).toEqual(expect.arrayContaining([0, 6, 7]));
  },
);
