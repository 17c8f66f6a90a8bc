import { describe, expect, test } from "vitest";
import {
  type ConventionName,
  conventionNames,
  defaultAlgorithm,
  type HashName,
  hashNames,
  passwordDigest,
  wireNonce,
} from "../../src/wsse/digest.ts";
import vectors from "./vectors.json" with { type: "json" };

interface Vector {
  readonly source: string;
  readonly case: string;
  readonly digest: ConventionName;
  readonly hash: HashName;
  readonly nonce: string;
  readonly created: string;
  readonly secret: string;
  readonly passwordDigest: string;
}

const all = vectors.vectors as readonly Vector[];

describe("passwordDigest", () => {
  test("the table holds at least the 52 vectors of the contract, and every convention", () => {
    expect(all.length).toBeGreaterThanOrEqual(52);
    expect(new Set(all.map(({ digest }) => digest))).toEqual(new Set(conventionNames));
  });

  test.each(
    all.map(
      (vector, index) => [index, vector.digest, vector.hash, vector.case, vector.source, vector] as const,
    ),
  )("vector %i: %s with %s, %s, by %s", (_index, _digest, _hash, _case, _source, vector) => {
    expect(passwordDigest(vector)).toBe(vector.passwordDigest);
  });
});

describe("wireNonce", () => {
  const bytes = Buffer.from("00ff10203040506070809010a0b0c0d0e0f00102", "hex");

  test.each(conventionNames.filter((name) => name !== "base64-nonce"))(
    "%s sends 40 hexadecimal characters",
    (name) => {
      expect(wireNonce(name, bytes)).toBe("00ff10203040506070809010a0b0c0d0e0f00102");
    },
  );

  test("base64-nonce sends the bytes as base64", () => {
    expect(wireNonce("base64-nonce", bytes)).toBe(bytes.toString("base64"));
  });
});

test("help and completion name the default first", () => {
  expect([conventionNames[0], hashNames[0]]).toEqual([defaultAlgorithm.digest, defaultAlgorithm.hash]);
});
