import { expect, test } from "vitest";
import { unredacted } from "../check/causes/found.ts";
import { judged, replied } from "../support/exchanges.ts";

/** A part of a response, and whom it shows in the contract ("Exit codes", the paragraph on 401 and 403). */
type Part = readonly [texts: readonly string[], shows: "the API" | "another" | "nobody"];
const showing = (shows: Part[1], ...parts: ReadonlyArray<string | readonly string[]>): readonly Part[] =>
  parts.map((texts) => [[texts].flat(), shows]);

const bodies = [
  ...showing("the API", "", "{}", ' {"error":[1]}\n', "\uFEFF{}"),
  ...showing("nobody", "[]", "{}{}", "{}\uFEFF", " ", "No", "<html><title>Sign in</title></html>"),
];
const fields: Readonly<Record<string, readonly Part[]>> = {
  "www-authenticate": [
    ...showing("nobody", [], ["", " , ,"]),
    ...showing("the API", "wsse", ["", "UsernameToken abc=="], 'Token realm="a, Basic b",, X-AUTH-TOKEN a=b'),
    ...showing(
      "another",
      "Basic",
      "AWS4-HMAC-SHA256 a=b,\tWSSE",
      ["WSSE", "Token, WSSE2"],
      ["Basic", "WSSE"],
    ),
    ...showing("another", 'WSSE realm="x', ["WSSE", "WSSE a=b c=d"], "WSSE, a=b", ["=", "Token"]),
  ],
  "proxy-authenticate": [...showing("nobody", []), ...showing("another", "", "WSSE")],
  "content-encoding": [...showing("nobody", [], ["IDENTITY", ""]), ...showing("another", "identity, gzip")],
  "transfer-encoding": [...showing("nobody", "Chunked"), ...showing("another", ["chunked", "x"])],
};

/** Every combination of one part of each. */
const combinations = [bodies, ...Object.values(fields)].reduce<readonly (readonly Part[])[]>(
  (rows, parts) => rows.flatMap((row) => parts.map((part) => [...row, part])),
  [[]],
);

test.each([401, 403])("%i is a refusal only with the evidence that the contract names", (status) => {
  for (const bodyEnd of ["length", "chunked", "connection"] as const) {
    for (const [body, ...rest] of combinations) {
      const [[text = ""] = [], shows] = body ?? [];
      const headers = Object.fromEntries(
        Object.keys(fields).map((name, index) => [name, rest[index]?.[0] ?? []]),
      );
      const shown = rest.map(([, shows]) => shows);
      // An empty body is evidence only where the message says that it is empty.
      if (shows !== undefined && (text !== "" || bodyEnd !== "connection")) shown.push(shows);
      const expected = shown.includes("the API") && !shown.includes("another") ? "rejected" : "unexpected";
      const { kind } = judged(replied({ status, bodyEnd, body: text, headers }), 10, unredacted);
      if (kind !== expected) expect.fail(`${kind}: ${JSON.stringify([bodyEnd, text, headers])}`);
    }
  }
});
