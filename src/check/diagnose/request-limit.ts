/** The most requests that the diagnosis of one refused credential makes. The help shows it, so this file imports nothing. */
export const requestLimit = 24;
