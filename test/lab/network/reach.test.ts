import { describe, test } from "vitest";
import { addressCases } from "./addresses.ts";
import { examine, titleOf } from "./cases.ts";
import { handshakeCases } from "./handshakes.ts";
import { machineCases } from "./machine.ts";
import { nameCases } from "./names.ts";
import { proxyCases } from "./proxies.ts";

const cases = [...addressCases, ...nameCases, ...proxyCases, ...handshakeCases, ...machineCases];

describe.concurrent("where curl gets", () => {
  test.each(cases.map((wanted) => [titleOf(wanted), wanted] as const))("%s", (_, wanted) => examine(wanted));
});
