import { expect, test } from "vitest";
import { authorityCertificate } from "../faults/authority.ts";
import { flag, given, recording } from "./recording.ts";

const setting = given("ca.pem", flag, "caCert");

test("a file that several accounts name is read, decoded and parsed once", async () => {
  const bytes = Buffer.from(authorityCertificate);
  const { inputs } = recording({ readNamedFile: async () => bytes });
  const first = await inputs.certificates(setting);
  // Whoever decoded it again would see this.
  bytes.fill(0);
  expect(first).toEqual([authorityCertificate]);
  expect(await inputs.certificates({ ...setting })).toBe(first);
});

test.each([
  ["text", "no certificate"],
  ["a private key", "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"],
  ["a damaged certificate", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"],
  ["a certificate that is cut off", "-----BEGIN CERTIFICATE-----\nMIIBhTCCASugAwIBAgIQ\n"],
])("a file that holds only %s is refused every time", async (_, text) => {
  const { inputs } = recording({ readNamedFile: async () => Buffer.from(text) });
  for (const _ of [1, 2])
    await expect(inputs.certificates(setting)).rejects.toThrow("names a file without a PEM certificate");
});
