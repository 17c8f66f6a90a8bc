/** The shells that there is a completion script for. */
export const shells = ["bash", "zsh", "fish"] as const;
/** The name of a shell that there is a completion script for. */
export type Shell = (typeof shells)[number];
