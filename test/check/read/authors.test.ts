import { expect, test } from "vitest";
import { type AnswerParts, read } from "../../support/exchanges.ts";

const blocked = "This request was blocked";
const long = (length: number): string => `${blocked} ${"x".repeat(length - blocked.length - 1)}`;

test.each<[AnswerParts, string | null]>([
  [{ body: blocked }, "firewall"],
  [{ body: long(2_000) }, "firewall"],
  [{ body: long(2_001) }, null],
  // An API's own words may be these, but not those of a host.
  [{ body: JSON.stringify(blocked) }, null],
  [{ body: JSON.stringify({ message: blocked }) }, null],
  [{ body: JSON.stringify("No such app") }, "host"],
  [{ body: JSON.stringify({ message: "No such app" }) }, "host"],
  [{ body: "{}", headers: { server: "AkamaiGHost" } }, "firewall"],
  [{ body: "{}", headers: { "x-server": "AkamaiGHost" } }, null],
])("%j is of %s", (parts, author) => {
  expect(read({ status: 403, ...parts }).author).toBe(author);
});
