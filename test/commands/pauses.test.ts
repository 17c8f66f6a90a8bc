import { expect, test } from "vitest";
import { pausesOf } from "../../src/commands/pauses.ts";

test("an origin pauses as long as any answer asked for, and no other origin does", () => {
  let now = 1_000;
  const pauses = pausesOf({ now: () => now });
  const rests = () => ["a", "b"].map((origin) => Math.max(0, pauses.rest(origin)));
  pauses.begin("a", 500);
  pauses.begin("a", 200);
  expect(rests()).toEqual([500, 0]);
  now += 400;
  pauses.begin("a", 300);
  expect(rests()).toEqual([300, 0]);
  now += 300;
  pauses.begin("b", 100);
  expect(rests()).toEqual([0, 100]);
});
