import { execFileSync } from "node:child_process";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { conventionNames } from "../../src/wsse/digest.ts";
import { leaks } from "../support/planted.ts";
import { type Run, runAsChild } from "../support/run.ts";
import { type Login, type Peer, type PeerName, startPeer } from "./peer.ts";

/** The conventions by which each library computes the digest. */
const accepted: Record<PeerName, readonly string[]> = {
  httplib2: ["text-nonce"],
  "XML::Atom": ["base64-nonce", "decoded-nonce"],
};

const logins: Record<string, Login> = {
  "a plain login": { username: "user@example.com", secret: "correct-horse-battery" },
  "a login of special characters": {
    username: "o'hara+ref@example.com",
    secret: 'p@ss word&="<>\\{},;%$ pässwörd 密码 🔑',
  },
};

const subjects = (["httplib2", "XML::Atom"] as const).flatMap((name) =>
  Object.entries(logins).map(([kind, login]) => ({ name, kind, login })),
);

describe.each(subjects)("$name, $kind,", ({ name, login }) => {
  let peer: Peer;

  beforeAll(async () => {
    peer = await startPeer(name, login);
  });
  afterAll(() => peer?.stop());

  /** Runs the real program with nothing in its environment but the settings. */
  function referralAuth(
    args: readonly string[],
    { secret = login.secret, digest = accepted[name][0] ?? "" } = {},
  ): Promise<Run> {
    const environment = {
      REFERRAL_BASE_URL: peer.url,
      REFERRAL_USERNAME: login.username,
      REFERRAL_SECRET: secret,
      REFERRAL_DIGEST: digest,
    };
    return runAsChild(args, { environment });
  }

  test.each(conventionNames)("gives %s the verdict it deserves", async (digest) => {
    const run = await referralAuth(["test", "--wsse", "--json"], { digest });

    const verdict = accepted[name].includes(digest)
      ? { exitCode: 0, outcome: "accepted" }
      : { exitCode: 4, outcome: "rejected" };
    expect(run).toMatchObject({ exitCode: verdict.exitCode, stderr: "" });
    expect(JSON.parse(run.stdout)).toMatchObject({
      ok: verdict.exitCode === 0,
      checks: [{ method: "wsse", outcome: verdict.outcome, request: { attempts: 1 } }],
    });
    expect(leaks(run.everything, [login.secret])).toEqual([]);
  });

  test("rejects a wrong secret", async () => {
    const secret = `${login.secret}x`;

    const run = await referralAuth(["test", "--wsse", "--json"], { secret });

    expect(run).toMatchObject({ exitCode: 4, stderr: "" });
    expect(JSON.parse(run.stdout)).toMatchObject({ checks: [{ outcome: "rejected" }] });
    expect(leaks(run.everything, [secret])).toEqual([]);
  });

  test("rejects an algorithm that it does not compute", async () => {
    const run = await referralAuth(["test", "--wsse", "--json", "--hash", "sha256"]);

    expect(run).toMatchObject({ exitCode: 4, stderr: "" });
  });

  test("has its convention proved by `--diagnose`", async () => {
    const run = await referralAuth(["test", "--wsse", "--diagnose", "--json"], { digest: "hex-digest" });

    expect(run.exitCode).toBe(4);
    const proof = { certainty: "proved", fix: expect.stringContaining(`${accepted[name][0]}`) };
    const { findings } = JSON.parse(run.stdout).checks[0];
    expect(findings).toContainEqual(expect.objectContaining(proof));
    expect(leaks(run.everything, [login.secret])).toEqual([]);
  });

  test("accepts the line that `header` prints when curl sends it", async () => {
    const header = await referralAuth(["header", "--wsse"]);
    expect(header).toMatchObject({ exitCode: 0, stderr: "" });

    const args = ["--silent", "--show-error", "--fail", "--header", "@-", `${peer.url}/test-authentication`];
    const answer = execFileSync("/usr/bin/curl", args, { input: header.stdout, env: {} });

    expect(answer.toString()).toBe('{"code":200,"message":"ok"}');
  });
});
