/** The faults that `--answer` can name: a web page, a redirect, an answer that never ends, a connection that is reset. */
export const faultNames = ["html", "redirect", "slow", "reset"] as const;
/** The name of a fault that `--answer` can name. */
export type FaultName = (typeof faultNames)[number];

/** What every request to the endpoint gets, whatever it holds: a status from 200 to 599 or a fault that a client must survive. */
export type ForcedAnswer = number | FaultName;
