/** How many cases every property is tried with: few while writing code, many in `vitest run --mode properties`. */
export const numRuns =
  Number(process.env.PROPERTY_RUNS) || (process.env.REFERRAL_AUTH_TESTS === "properties" ? 10_000 : 200);

/** How many times as long a text of others is in `vitest run --mode properties`, where its time is measured. */
export const scale = numRuns > 1_000 ? 4 : 1;

/** A deadline that fits that many runs of the whole command, in milliseconds. */
export const manyRuns = { timeout: 30_000 + numRuns * 60 };
