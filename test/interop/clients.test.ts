import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { type ConventionName, conventionNames } from "../../src/wsse/digest.ts";
import { leaks, planted } from "../support/planted.ts";
import { childNode, type Run, runAsChild } from "../support/run.ts";
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
  readonly hash?: string;
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

/** Runs the client as the command of the emulator, which knows the planted account. */
function emulator(args: readonly string[], command: readonly string[]): Promise<Run> {
  const account = ["--username", planted.username, "--secret", planted.secret];
  return runAsChild(["emulator", ...account, ...args, ...command], {
    environment: { WSSE_CLIENTS: packages },
  });
}

describe.each(clients)("$name", ({ command, digests, hash = "sha1", authorization }) => {
  const [own = "text-nonce"] = digests;
  const accepting = ["--digest", own, "--hash", hash];

  test.each(conventionNames)("is accepted by %s only if it makes such a digest", async (digest) => {
    const run = await emulator(["--digest", digest, "--hash", hash], command);

    if (digests.includes(digest)) {
      expect(run).toMatchObject({ exitCode: 0, stdout: "" });
      expect(run.stderr).toMatch(/ 200 accepted: X-WSSE; note: .*Created is not of the form /);
    } else {
      expect(run).toMatchObject({ exitCode: 1, stdout: "" });
      expect(run.stderr).toContain(
        ` 401 digest: matches ${digests.join(" and ")}; this server expects ${digest}`,
      );
    }
    expect(leaks(run.everything)).toEqual([]);
  });

  test("is refused with another secret", async () => {
    const shell = ["/bin/sh", "-c", 'REFERRAL_SECRET=other exec "$@"', "sh"];
    const run = await emulator(accepting, [...shell, ...command]);

    expect(run.exitCode).toBe(1);
    expect(run.stderr).toContain(` 401 digest: does not match ${own} with ${hash}`);
  });

  test("is refused by --strict, for the shape of what it sends", async () => {
    const run = await emulator([...accepting, "--strict"], command);

    expect(run.exitCode).toBe(1);
    expect(run.stderr).toMatch(/ 401 malformed: .*Created is not of the form /);
  });

  test(`is ${authorization ? "accepted" : "refused"} by --authorization wsse`, async () => {
    const run = await emulator([...accepting, "--authorization", "wsse"], command);

    expect(run.exitCode).toBe(authorization ? 0 : 1);
    expect(run.stderr).toContain(authorization ? " 200 accepted: X-WSSE" : " 401 authorization: ");
  });
});
