/** How many cases every property is tried with: few while writing code, many in continuous integration. */
export const numRuns = Number(process.env.PROPERTY_RUNS) || (process.env.CI ? 10_000 : 1_000);

/** A deadline that fits that many runs of the whole command, in milliseconds. */
export const manyRuns = { timeout: 30_000 + numRuns * 60 };
