import fc from "fast-check";

const inProperties = process.env.REFERRAL_AUTH_TESTS === "properties";

/** How many cases every property is tried with: few in `npm test`, many in `vitest run --mode properties`. */
export const numRuns = Number(process.env.PROPERTY_RUNS) || (inProperties ? 1_000 : 100);

/** How many times as long a text of others is in `vitest run --mode properties`, where its time is measured. */
export const scale = inProperties ? 4 : 1;

/** A deadline that fits that many runs of the whole command, in milliseconds. */
export const manyRuns = { timeout: 30_000 + numRuns * 60 };

const seed = Number(process.env.PROPERTY_SEED) || (inProperties ? undefined : 1);

// `npm test` tries the same cases each time. The mode tries others each time, unless PROPERTY_SEED is set; a failure prints their seed.
fc.configureGlobal({ numRuns, ...(seed !== undefined && { seed }) });
