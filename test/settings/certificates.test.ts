import { expect, test } from "vitest";
import { certificatesSetting } from "../../src/settings/certificates.ts";
import { levelOf } from "../../src/settings/levels.ts";
import { authorityCertificate } from "../faults/authority.ts";

const levels = [
  levelOf([{ setting: "caCert", text: "ca.pem", source: { kind: "flag", flag: "--ca-cert" } }]),
];

test("a file that several accounts name is decoded and parsed once", async () => {
  const bytes = Buffer.from(authorityCertificate);
  const inputs = { read: async () => bytes };
  const first = await certificatesSetting(levels, inputs);
  // Whoever decoded it again would see this.
  bytes.fill(0);
  expect(first?.value).toBe(authorityCertificate);
  expect(await certificatesSetting(levels, inputs)).toEqual(first);
});

test("a file without a certificate is refused every time", async () => {
  const bytes = Buffer.from("-----BEGIN CERTIFICATE-----\nx\n-----END CERTIFICATE-----");
  const read = () => certificatesSetting(levels, { read: async () => bytes });
  await expect(read()).rejects.toThrow("names a file without a PEM certificate");
  await expect(read()).rejects.toThrow("names a file without a PEM certificate");
});
