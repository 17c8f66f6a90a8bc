/** A test of the end-to-end suite that makes no sense for the executable under wine. */
export interface LeftOut {
  /** Its file in test/e2e. */
  readonly file: string;
  /** What its full name holds; every test of the file where this is empty. */
  readonly name: string;
  readonly reason: string;
}

/** All that is left out. An entry that fits no test fails the run. */
export const leftOut: readonly LeftOut[] = [
  {
    file: "other-commands.test.ts",
    name: "config, as a child, > shows a credential that will not be sent, and why",
    reason: "it compares a path as Linux writes it; test/windows/files.test.ts does so as Windows writes it",
  },
  {
    file: "system-certificates.test.ts",
    name: "a CA of the system's store alone",
    reason:
      "it names the system's store in SSL_CERT_FILE; Windows has a store of its own, which wine fills itself",
  },
];

/** The entry that leaves this test out, if there is one. */
export function leftOutBy(file: string, fullName: string): LeftOut | undefined {
  return leftOut.find((one) => file.endsWith(`/e2e/${one.file}`) && fullName.includes(one.name));
}
