/** How many cases every property is tried with: few while writing code, many in `vitest run --mode properties`. */
export const numRuns =
  Number(process.env.PROPERTY_RUNS) || (process.env.REFERRAL_AUTH_TESTS === "properties" ? 10_000 : 300);

/** A deadline that fits that many runs of the whole command, in milliseconds. */
export const manyRuns = { timeout: 30_000 + numRuns * 60 };
