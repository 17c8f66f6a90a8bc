import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { wsseHeader } from "../../src/wsse/header.ts";
import { authenticated, credentials, known, now, verdict, withWsse, wsse } from "./support.ts";

const { username, secret } = credentials;
const nonce = "00ff".repeat(10);
const created = "2026-11-21T03:31:00+00:00";
type Part = string | Buffer;
const hashed = (algorithm: string, ...parts: readonly Part[]) =>
  createHash(algorithm)
    .update(Buffer.concat(parts.map((part) => Buffer.from(part))))
    .digest();
const sha1 = (...parts: readonly Part[]) => hashed("sha1", ...parts);
const decoded = Buffer.from(nonce, "base64");
const both = "base64-nonce and decoded-nonce";
const base64OfHex = (bytes: Buffer) => Buffer.from(bytes.toString("hex")).toString("base64");

const [asSent, itself] = ["Created as it is sent", "the secret itself"];
const amadeus = "the SHA-1 of the secret";

// Whose convention, the digest, what it matches and what is expected instead.
test.each<[string | null, string, string, string]>([
  ["Amadeus", sha1(nonce, created, sha1(secret)).toString("base64"), amadeus, itself],
  [
    "Amadeus",
    sha1(decoded, created, sha1(secret)).toString("base64"),
    `${both} with ${amadeus}`,
    `text-nonce with ${itself}`,
  ],
  [
    "Symfony's encoders without base64",
    sha1(nonce, created, secret).toString("hex"),
    "raw hexadecimal",
    "base64",
  ],
  [
    "node-wsse with sha1encoding and nonceBase64",
    base64OfHex(sha1(decoded, created, secret)),
    `${both} with the base64 of hexadecimal`,
    "text-nonce with the base64 of bytes",
  ],
  [null, sha1(nonce, "1795231860", secret).toString("base64"), "Created in seconds", asSent],
  ["wash_out", sha1(nonce, "2026-11-21T03:31:00Z", secret).toString("base64"), "Created with Z", asSent],
  [
    "wash_out for SoapUI",
    sha1(nonce, "2026-11-21T03:31:00.000Z", secret).toString("base64"),
    "Created with milliseconds and Z",
    asSent,
  ],
  [
    "Amadeus and of wash_out and of Symfony's encoders without base64",
    hashed("sha512", nonce, "2026-11-21T03:31:00Z", sha1(secret)).toString("hex"),
    `sha512 with ${amadeus} with Created with Z with raw hexadecimal`,
    `sha1 with ${itself} with ${asSent} with base64`,
  ],
  // Bruno's is a convention of --digest.
  [null, base64OfHex(sha1(nonce, created, secret)), "hex-digest", "text-nonce"],
])("a digest as that of %s is named: %s", (whose, passwordDigest, theirs, ours) => {
  const header = wsseHeader({ username, passwordDigest, nonce, created });
  const note =
    whose === null ? "" : `; this is the convention of ${whose}, which referral-auth does not send`;
  expect(verdict(withWsse(header))).toBe(`401 digest: matches ${theirs}; this server expects ${ours}${note}`);
});

test("the milliseconds and the zone of Created may be hashed in another form than they are sent", () => {
  const sent = "2026-11-21T04:31:00.12+01:00";
  for (const [form, name] of [
    ["2026-11-21T03:31:00Z", "Created with Z"],
    ["2026-11-21T03:31:00.120Z", "Created with milliseconds and Z"],
  ] as const) {
    const passwordDigest = sha1(nonce, form, secret).toString("base64");
    const header = wsseHeader({ username, passwordDigest, nonce, created: sent });
    expect(verdict(withWsse(header))).toContain(`matches ${name}; `);
  }
});

describe("what stands beside the digest", () => {
  const adobe = "this is the convention of Adobe Analytics, which referral-auth does not send";
  const huawei = "this is the convention of Huawei, which referral-auth does not send";

  test("Adobe's fifth attribute is named with whatever else is wrong", () => {
    const header = `${wsse({ now: now - 400_000, digest: "base64-nonce", hash: "sha256" })}, Algorithm="SHA256"`;
    const { reasons } = authenticated(withWsse(header));
    expect(reasons.map(({ rule }) => rule)).toEqual(["malformed", "digest", "stale"]);
    expect(reasons[0]?.detail).toContain(adobe);
  });

  test("Huawei's Authorization is named where another is required, and fields without a space are accepted", () => {
    const header = wsse().replaceAll(", ", ",");
    const sent = (authorization: string) => ({ ...withWsse(header), authorization: [authorization] });
    const appkey = 'WSSE realm="SDP",profile="UsernameToken",type="Appkey"';
    const rules = { ...known, authorization: "wsse" } as const;
    expect(verdict(sent(appkey), rules)).toContain(`was not sent beside X-WSSE; ${huawei}`);
    expect(verdict(sent("WSSE realm=x"), rules)).not.toContain(huawei);
    expect(verdict(sent(appkey))).toBe("200 accepted: X-WSSE");
  });
});
