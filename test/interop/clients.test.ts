import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import type { EmulatorOptions } from "../../src/library/emulator.ts";
import { type ConventionName, conventionNames, type HashName } from "../../src/wsse/digest.ts";
import { start } from "../recipes/machine.ts";
import { emulate } from "../support/emulate.ts";
import { leaks, planted } from "../support/planted.ts";
import { childNode, emptyFolder } from "../support/run.ts";
import { peerCommand } from "./peer.ts";

/** The folder into which `.ci/run` installs the clients of npm. */
const packages = resolve(process.env.WSSE_CLIENTS || "WSSE_CLIENTS names no folder");
const npmClient = fileURLToPath(new URL("./peers/npm-client.mjs", import.meta.url));
const npm = (name: string, options: object): readonly string[] => [
  childNode,
  npmClient,
  name,
  JSON.stringify(options),
];

interface Client {
  readonly name: string;
  readonly command: readonly string[];
  /** The conventions by which its digest is right. */
  readonly digests: readonly ConventionName[];
  readonly hash?: HashName;
  /** Whether it sends `Authorization: WSSE profile="UsernameToken"`. */
  readonly authorization: boolean;
}

const clients: readonly Client[] = [
  { name: "wsse", command: npm("wsse", {}), digests: ["text-nonce"], authorization: false },
  {
    name: "wsse with a hexadecimal digest",
    command: npm("wsse", { sha1encoding: "hex" }),
    digests: ["hex-digest"],
    authorization: false,
  },
  {
    name: "wsse with a base64 nonce",
    command: npm("wsse", { nonceBase64: true }),
    digests: ["base64-nonce", "decoded-nonce"],
    authorization: false,
  },
  { name: "wsse-token", command: npm("wsse-token", {}), digests: ["hex-digest"], authorization: false },
  {
    name: "wsse-token with SHA-256",
    command: npm("wsse-token", { digestAlgorithm: "sha256" }),
    digests: ["hex-digest"],
    hash: "sha256",
    authorization: false,
  },
  {
    name: "httplib2",
    command: peerCommand("httplib2-client.py"),
    digests: ["text-nonce"],
    authorization: true,
  },
  {
    name: "XML::Atom",
    command: peerCommand("xml-atom-client.pl"),
    digests: ["base64-nonce", "decoded-nonce"],
    authorization: true,
  },
];

/** Runs the client against an emulator that knows the planted account. Resolves with its exit code and the emulator's log. */
async function sent(
  options: EmulatorOptions,
  command: readonly string[],
  secret: string = planted.secret,
): Promise<{ readonly exitCode: number; readonly log: string }> {
  const api = await emulate(options);
  const environment = {
    PATH: process.env.PATH ?? "",
    WSSE_CLIENTS: packages,
    REFERRAL_BASE_URL: api.url,
    REFERRAL_USERNAME: planted.username,
    REFERRAL_SECRET: secret,
  };
  const [program = "", ...args] = command;
  const { exitCode, everything } = await start({ folder: emptyFolder, environment }, program, args);
  const log = api.log.join("\n");
  expect(leaks(everything + log)).toEqual([]);
  return { exitCode, log };
}

describe.each(clients)("$name", ({ command, digests, hash = "sha1", authorization }) => {
  const [own = "text-nonce"] = digests;

  test.each(conventionNames)("is accepted by %s only if it makes such a digest", async (digest) => {
    const { exitCode, log } = await sent({ digest, hash }, command);

    expect(exitCode).toBe(digests.includes(digest) ? 0 : 1);
    if (digests.includes(digest))
      expect(log).toMatch(/ 200 accepted: X-WSSE; note: .*Created is not of the form /);
    else
      expect(log).toContain(` 401 digest: matches ${digests.join(" and ")}; this server expects ${digest}`);
  });

  test.each([
    ["with another secret", {}, "other", ` 401 digest: does not match ${own} with ${hash}`],
    ["by strict, for the shape of what it sends", { strict: true }, undefined, "Created is not of the form "],
  ])("is refused %s", async (_title, options, secret, reason) => {
    const { exitCode, log } = await sent({ digest: own, hash, ...options }, command, secret);

    expect(exitCode).toBe(1);
    expect(log).toContain(reason);
  });

  test(`is ${authorization ? "accepted" : "refused"} by authorization: "wsse"`, async () => {
    const { exitCode, log } = await sent({ digest: own, hash, authorization: "wsse" }, command);

    expect(exitCode).toBe(authorization ? 0 : 1);
    expect(log).toContain(authorization ? " 200 accepted: X-WSSE" : " 401 authorization: ");
  });
});
