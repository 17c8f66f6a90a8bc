import { describe, expect, test } from "vitest";
import { answer, head } from "../faults/answers.ts";
import { sends } from "../faults/peers.ts";
import { exchangeWith } from "./exchange-with.ts";

const go = head("HTTP/1.1 100 Continue");
const hints = head("HTTP/1.1 103 Early Hints", "Link: </x>");
// What looks like an interim response is text here.
const body = `{}\r\n\r\n${go}`;

/** The response to these bytes, or the kind of end. */
async function end(...sent: readonly string[]) {
  const { exchange } = await exchangeWith(sends(...sent));
  if (exchange.kind !== "response") return exchange.kind;
  return `${exchange.response.status} ${Buffer.from(exchange.response.body)}`;
}

describe("interim responses are read, and are not the answer", () => {
  const final = answer("200 OK", body).toString("latin1");

  test.each([
    ["none", ""],
    ["100", go],
    ["100 without a reason", head("HTTP/1.1 100")],
    ["100 of HTTP/1.0", head("HTTP/1.0 100 Continue")],
    ["100 with fields", head("HTTP/1.1 100 Continue", "X-Note: caf\xe9", "Empty:")],
    ["several", go + hints + go],
    ["a large one", head("HTTP/1.1 100 Continue", `X-Note: ${"a".repeat(16_000)}`)],
  ])("%s", async (_, interim) => {
    expect(await end(interim + final)).toBe(`200 ${body}`);
    expect(await end(interim, final)).toBe(`200 ${body}`);
  });

  test("in pieces of one byte", async () => {
    expect(await end(...(go + hints + go + final))).toBe(`200 ${body}`);
  });
});

describe("what is no interim response is still judged", () => {
  test.each([
    ["a status of four digits", head("HTTP/1.1 1000 Continue")],
    ["101", head("HTTP/1.1 101 Switching Protocols", "Connection: Upgrade", "Upgrade: h2c")],
    ["a line without a colon", head("HTTP/1.1 100 Continue", "nonsense")],
    ["a control character", head("HTTP/1.1 100 Continue", "X-Note: \x01")],
    ["a control character in its reason", head("HTTP/1.1 100 Con\0tinue")],
    ["more than 16 KiB of fields", head("HTTP/1.1 100 Continue", `X-Note: ${"a".repeat(17_000)}`)],
  ])("%s", async (_, interim) => {
    expect(await end(interim + answer("200 OK", body).toString("latin1"))).toBe("malformed");
  });
});
