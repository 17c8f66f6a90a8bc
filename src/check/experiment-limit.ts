import { conventionNames, hashNames } from "../wsse/digest.ts";

// Without credentials, the measured clock difference, 3 seconds earlier, the credential repaired, the token as the
// secret, the Authorization field. If the clocks agree, the second is left out, and one request confirms the 3 seconds.
const singleExperiments = 6;
const algorithms = conventionNames.length * hashNames.length;
const confirmations = 1;

/** How many further requests a diagnosis makes at most. The help shows it, so this file imports little. */
export const maxExperiments = singleExperiments + (algorithms - 1) + confirmations;
