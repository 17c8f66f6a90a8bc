import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { conventionNames } from "../../../src/wsse/digest.ts";
import { leaks } from "../../support/planted.ts";
import { type Run, runAsChild } from "../../support/run.ts";
import { type Listening, peerCommand, startProgram } from "./program.ts";

/** A library that verifies X-WSSE: its server, and the conventions by which it computes the digest. */
const peers = [
  ["httplib2", "httplib2-server.py", ["text-nonce"]],
  ["XML::Atom", "xml-atom-server.pl", ["base64-nonce", "decoded-nonce"]],
] as const;
const username = "o'hara+ref@example.com";
const right = 'p@ss word&="<>\\{},;%$ pässwörd 密码 🔑';

describe.each(peers)("%s, by %s,", (_, server, accepted: readonly string[]) => {
  const [own = ""] = accepted;
  let peer: Listening;
  beforeAll(async () => {
    peer = await startProgram((port) => [...peerCommand(server), String(port), username, right]);
  });
  afterAll(() => peer?.stop());
  const url = () => `http://127.0.0.1:${peer.port}`;

  /** Runs the real program with nothing in its environment but the settings. */
  function referralAuth(args: readonly string[], digest = own, secret: string = right): Promise<Run> {
    const account = { REFERRAL_USERNAME: username, REFERRAL_SECRET: secret };
    return runAsChild(args, {
      environment: { REFERRAL_BASE_URL: url(), REFERRAL_DIGEST: digest, ...account },
    });
  }

  test.each([...conventionNames.map((digest) => [digest, right] as const), [own, `${right}x`] as const])(
    "gives %s with the secret %s the verdict it deserves",
    async (digest, secret) => {
      const run = await referralAuth(["test", "--wsse", "--json"], digest, secret);

      const ok = accepted.includes(digest) && secret === right;
      const check = { method: "wsse", outcome: ok ? "accepted" : "rejected", request: { attempts: 1 } };
      expect(run).toMatchObject({ exitCode: ok ? 0 : 4, stderr: "" });
      expect(JSON.parse(run.stdout)).toMatchObject({ ok, checks: [check] });
      expect(leaks(run.everything, [secret])).toEqual([]);
    },
  );

  test("has its convention proved by `--diagnose`", async () => {
    const run = await referralAuth(["test", "--wsse", "--diagnose", "--json"], "hex-digest");

    expect(run.exitCode).toBe(4);
    const proof = { certainty: "proved", fix: expect.stringContaining(own) };
    const { findings } = JSON.parse(run.stdout).checks[0];
    expect(findings).toContainEqual(expect.objectContaining(proof));
    expect(leaks(run.everything, [right])).toEqual([]);
  });
});
