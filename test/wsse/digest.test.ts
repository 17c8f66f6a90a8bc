import { expect, test } from "vitest";
import {
  conventionNames,
  defaultAlgorithm,
  hashNames,
  passwordDigest,
  wireNonce,
} from "../../src/wsse/digest.ts";
import { vectors } from "./vectors.ts";

test("the vectors are at least 52, and have every convention", () => {
  expect(vectors.length).toBeGreaterThanOrEqual(52);
  expect(new Set(vectors.map(({ digest }) => digest))).toEqual(new Set(conventionNames));
});

test.each(vectors)("$source, $case: $digest with $hash", (vector) => {
  expect(passwordDigest(vector)).toBe(vector.passwordDigest);
});

test.each(conventionNames)("%s sends 20 bytes as 40 hexadecimal characters, or in base64", (name) => {
  const bytes = Buffer.from("00ff10203040506070809010a0b0c0d0e0f00102", "hex");
  expect(wireNonce(name, bytes)).toBe(bytes.toString(name === "base64-nonce" ? "base64" : "hex"));
});

test("help and completion name the default first", () => {
  expect([conventionNames[0], hashNames[0]]).toEqual([defaultAlgorithm.digest, defaultAlgorithm.hash]);
});
