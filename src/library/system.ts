import { randomBytes } from "node:crypto";
import type { ClockAndRandom } from "../check/credential.ts";

/** The system's clock and its secure random source. Programs that replace `Date.now` change the clock of each call. */
export const system: ClockAndRandom = { now: () => Date.now(), randomBytes };
