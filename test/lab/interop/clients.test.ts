import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import type { EmulatorOptions } from "../../../src/library/emulator.ts";
import { type ConventionName, conventionNames, type HashName } from "../../../src/wsse/digest.ts";
import { emulate } from "../../support/emulate.ts";
import { leaks, planted } from "../../support/planted.ts";
import { childNode, emptyFolder } from "../../support/run.ts";
import { start } from "../recipes/machine.ts";
import { peerCommand } from "./program.ts";

/** The folder into which `.ci/run` installs the clients of npm. */
const packages = resolve(process.env.WSSE_CLIENTS || "WSSE_CLIENTS names no folder");
const npmClient = [childNode, fileURLToPath(new URL("./peers/npm-client.mjs", import.meta.url))];
const npm = (name: string, options = {}) => [...npmClient, name, JSON.stringify(options)];

interface Client {
  readonly name: string;
  readonly command: readonly string[];
  /** The conventions by which its digest is right. */
  readonly digests: readonly ConventionName[];
  readonly hash?: HashName;
}

const [hexadecimal, sha256] = [{ sha1encoding: "hex" }, { digestAlgorithm: "sha256" }];
const base64: readonly ConventionName[] = ["base64-nonce", "decoded-nonce"];
const [python, perl] = [peerCommand("httplib2-client.py"), peerCommand("xml-atom-client.pl")];

const clients: readonly Client[] = [
  { name: "wsse", command: npm("wsse"), digests: ["text-nonce"] },
  { name: "wsse with a hexadecimal digest", command: npm("wsse", hexadecimal), digests: ["hex-digest"] },
  { name: "wsse with a base64 nonce", command: npm("wsse", { nonceBase64: true }), digests: base64 },
  { name: "wsse-token", command: npm("wsse-token"), digests: ["hex-digest"] },
  {
    name: "wsse-token with SHA-256",
    command: npm("wsse-token", sha256),
    digests: ["hex-digest"],
    hash: "sha256",
  },
  { name: "httplib2", command: python, digests: ["text-nonce"] },
  { name: "XML::Atom", command: perl, digests: base64 },
];

/** Runs the client against an emulator that knows the planted account, and gives the emulator's log. */
async function sent(options: EmulatorOptions, command: readonly string[], exitCode: number) {
  const api = await emulate(options);
  const account = { REFERRAL_USERNAME: planted.username, REFERRAL_SECRET: planted.secret };
  const environment = { PATH: process.env.PATH ?? "", WSSE_CLIENTS: packages, REFERRAL_BASE_URL: api.url };
  const [program = "", ...args] = command;
  const run = await start(
    { folder: emptyFolder, environment: { ...environment, ...account } },
    program,
    args,
  );
  const log = api.log.join("\n");
  expect(run, run.everything).toMatchObject({ exitCode });
  expect(leaks(run.everything + log)).toEqual([]);
  return log;
}

describe.each(clients)("$name", ({ command, digests, hash = "sha1" }) => {
  const [digest = "text-nonce"] = digests;

  test("is accepted by the conventions of its digest, and any other server's log names them", async () => {
    const foreign = conventionNames.find((name) => !digests.includes(name)) ?? digest;
    for (const one of digests)
      expect(await sent({ digest: one, hash }, command, 0)).toMatch(
        / 200 accepted: X-WSSE; note: .*Created /,
      );
    const did = `[^;]* \\((?:${digests.join("|")}) with ${hash}\\)`;
    const expected = `[^;]* \\(${foreign} with ${hash}\\)`;
    expect(await sent({ digest: foreign, hash }, command, 1)).toMatch(
      new RegExp(` 401 digest: ${did}; ${expected}`),
    );
  });
});
