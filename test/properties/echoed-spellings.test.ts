import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { folderWith } from "../support/folder.ts";
import { planted } from "../support/planted.ts";
import { processorTime } from "../support/processor-time.ts";
import { json, serve } from "../support/serve.ts";
import { check, shown } from "./secrets.ts";

describe("a secret that comes back", () => {
  test.each([
    [
      "HTML-escaped in a page's title",
      "wsse",
      "Ab&cd<ef>'gh\"Ij",
      (text: string) => text.replace(/[&<>'"]/g, (character) => `&#${character.codePointAt(0)};`),
    ],
    [
      "as base64 of a longer text",
      "token",
      planted.token,
      (text: string) => Buffer.from(`x-auth-token: ${text}; host`).toString("base64"),
    ],
    [
      "as base64 one byte further",
      "token",
      planted.token,
      (text: string) => Buffer.from(`Bearer: ${text}.`).toString("base64"),
    ],
    [
      "as UTF-8 in a header field, which is read as latin1",
      "wsse",
      "pässwörd-ünïque",
      (text: string) => text,
    ],
    [
      "with JSON's other way to escape",
      "wsse",
      "pässwörd-ünïque",
      (text: string) =>
        text.replace(/[^ -~]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`),
    ],
    ["in capital letters beyond U+FFFF", "wsse", "RD4dp\u{10428}qtF3h", (text: string) => text.toUpperCase()],
    ["in capital letters of other bytes", "wsse", "xyz-ġżą-zw", (text: string) => text.toUpperCase()],
    ["in capital letters, one of them two", "wsse", "Großbuchstabe", (text: string) => text.toUpperCase()],
    [
      "in capital letters, escaped for HTML",
      "wsse",
      "Ab&cd<ef",
      (text: string) => Array.from(text.toUpperCase(), (letter) => `&#${letter.codePointAt(0)};`).join(""),
    ],
    ["with JSON's escaped slash", "token", "Ab/Cd+Ef/Gh==", (text: string) => text.replaceAll("/", "\\/")],
  ] as const)("%s is not shown", async (_, method, secret, write) => {
    const api = await serve((_request, response) => {
      const text = write(secret);
      response
        .writeHead(403, { "content-type": "text/html", "x-received": Buffer.from(text).toString("latin1") })
        .end(`<!doctype html><title>${text}</title>`);
    });
    const run = await check(method, "environment", secret, folderWith(), [
      "--base-url",
      api.url,
      "--verbose",
    ]);
    expect(run.exitCode).toBe(6);
    expect(shown(run, secret)).toEqual([]);
    expect(run.everything).not.toContain(write(secret));
  });

  test("as a number is not shown", async () => {
    const api = await serve((_request, response) => json(response, 401, { code: 8812345678, message: "No" }));
    const run = await check("token", "environment", "8812345678", folderWith(), [
      "--base-url",
      api.url,
      "--json",
    ]);
    expect(run.everything).not.toContain("8812345678");
  });

  test("does not keep the program busy, even if each of its characters can be written in several ways", async () => {
    const secret = `${"\\".repeat(20)}end`;
    const api = await serve((_request, response) =>
      json(response, 401, { code: 401, message: "\\".repeat(1_000) }),
    );
    const { value, milliseconds } = await processorTime(() =>
      check("token", "environment", secret, folderWith(), ["--base-url", api.url]),
    );
    expect(value.exitCode).toBe(4);
    expect(milliseconds).toBeLessThan(3_000);
  });
});

describe("a long secret that comes back", () => {
  const long = Array.from({ length: 12 }, (_, index) =>
    createHash("sha512").update(`${index}`).digest("base64url"),
  ).join("");
  const lengths = [127, 128, 129, 200, 255, 256, 257, 300, 900];

  test.each<readonly [string, string]>([
    ...lengths.map((length) => [`${length} characters`, long.slice(0, length)] as const),
    ["a letter beyond U+FFFF in the middle", `${long.slice(0, 127)}\u{10428}${long.slice(200, 328)}`],
  ])("is not shown in part: %s", async (_, secret) => {
    const capitals = secret.toUpperCase();
    for (const message of [
      secret,
      capitals,
      encodeURIComponent(secret),
      Buffer.from(secret).toString("hex"),
    ]) {
      const api = await serve((_request, response) => json(response, 401, { code: 401, message }));
      const run = await check("wsse", "environment", secret, folderWith(), [
        ...["--base-url", api.url, "--json"],
      ]);
      expect(run.exitCode).toBe(4);
      expect(shown(run, secret)).toEqual([]);
    }
  });
});
