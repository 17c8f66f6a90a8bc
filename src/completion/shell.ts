/** The shells with a completion script. */
export const shells = ["bash", "zsh", "fish"] as const;
/** A shell with a completion script. */
export type Shell = (typeof shells)[number];
