import { describe, expect, test } from "vitest";
import { answer, head } from "../faults/answers.ts";
import { type Act, floods, sends } from "../faults/peers.ts";
import { bodyOf, exchangeWith } from "./exchange-with.ts";

const limit = 64 * 1024;

describe("a body of more than 64 KiB is cut there, and the connection is closed", () => {
  const ok = "HTTP/1.1 200 OK";
  const chunked = head(ok, "Transfer-Encoding: chunked");
  const block = "a".repeat(64 * 1024);
  // What was cut loses its last word, of at most 4 KiB.
  const kept = limit - 4 * 1024;

  test.each([
    ["64 KiB", limit, limit, false],
    ["one byte more, which is announced", limit + 1, kept, true],
  ])("%s", async (_, sent, length, truncated) => {
    expect(await bodyOf(sends(answer("200 OK", "a".repeat(sent))))).toEqual({ length, truncated });
  });

  test.each<[string, Act, number?]>([
    ["an endless chunked body", floods(chunked, `10000\r\n${block}\r\n`)],
    ["a chunk of which one byte too many has come", sends(`${chunked}200000\r\n${"a".repeat(limit + 1)}`)],
    ["a chunk extension without an end, which is not read to its end", floods(`${chunked}1;`, block), 0],
  ])("%s", async (_, act, length = kept) => {
    expect(await bodyOf(act)).toEqual({ length, truncated: true });
  });

  test("of one that is announced and stalls, the beginning is kept", async () => {
    const act = sends(`${head(ok, "Content-Length: 10000000000")}<title>No`);
    const { exchange } = await exchangeWith(act, { timeoutSeconds: 0.3 });
    expect(exchange).toMatchObject({ kind: "response", response: { truncated: true } });
    expect(exchange.kind === "response" && String(exchange.response.body)).toBe("<title>");
  });

  test("a body that arrives in pieces keeps every byte", async () => {
    const pieces = Array.from({ length: 200 }, (_, index) => `${index} `.repeat(20));
    const { exchange } = await exchangeWith(
      sends(head(ok, `Content-Length: ${pieces.join("").length}`), ...pieces),
    );
    const body = exchange.kind === "response" ? Buffer.from(exchange.response.body).toString() : "";
    expect(body).toBe(pieces.join(""));
  });

  test("interim responses without an end are no response", async () => {
    const { exchange } = await exchangeWith(floods("", head("HTTP/1.1 103 Early Hints").repeat(1_000)));
    expect(exchange).toMatchObject({ kind: "malformed", broken: { problem: "Headers without an end" } });
  });

  test.each([
    [999, { kind: "response" }],
    [1_000, { kind: "malformed", broken: { problem: "Too many header fields" } }],
  ])("%i header fields besides the length make %j", async (count, expected) => {
    const { exchange } = await exchangeWith(sends(answer("200 OK", "", Array(count).fill("a:b"))));
    expect(exchange).toMatchObject(expected);
  });
});
