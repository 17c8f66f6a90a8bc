import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { Attempt } from "../../src/check/attempt.ts";
import { experimentsFor } from "../../src/check/experiments.ts";
import { judge } from "../../src/check/judge.ts";
import { Secret } from "../../src/settings/secret.ts";
import { conventionNames, hashNames, maxExperiments } from "../../src/wsse/digest.ts";
import { replied } from "../support/exchanges.ts";
import { token, wsse } from "./found.ts";

/** A refused attempt by a clock that is so many seconds ahead. */
function refused(skewSeconds: number): Attempt {
  const exchange = replied({ status: 401 });
  return {
    sent: {},
    exchange,
    outcome: judge(exchange, 10),
    clock: { skewSeconds, uncertaintySeconds: 1 },
  };
}

test("the contract, README and help promise fourteen requests: whoever adds a convention or hash changes them", () => {
  expect(maxExperiments).toBe(14);
  const readme = readFileSync(new URL("../../README.md", import.meta.url), "utf8");
  expect(readme).toContain("by at most fourteen further requests");
});

test("a diagnosis with everything to try tries each convention with each hash, and is as long as promised", () => {
  const experiments = experimentsFor(wsse(), new Secret("a-token"), refused(400));

  expect(experiments).toHaveLength(maxExperiments);
  const recipes = experiments.flatMap(({ credential }) =>
    credential?.method === "wsse" ? [`${credential.digest} ${credential.hash}`] : [],
  );
  expect([...new Set(recipes)].toSorted()).toEqual(
    conventionNames.flatMap((digest) => hashNames.map((hash) => `${digest} ${hash}`)).toSorted(),
  );
});

test.each([1, -1])("a difference of more than 48 hours is not tried (%i)", (sign) => {
  const shifts = (skewSeconds: number): readonly number[] =>
    experimentsFor(wsse(), null, refused(sign * skewSeconds)).map(({ shiftSeconds }) => shiftSeconds);
  expect(new Set(shifts(48 * 3600 + 1))).toEqual(new Set([0]));
  expect(new Set(shifts(48 * 3600))).toEqual(new Set([0, -sign * 48 * 3600]));
});

test("what there is nothing to try with is left out", () => {
  expect(experimentsFor(wsse(), null, refused(1))).toHaveLength(maxExperiments - 2);
  expect(experimentsFor(token("a-token"), null, refused(400))).toHaveLength(1);
});
