import { execFileSync } from "node:child_process";
import { connect } from "node:net";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { api, authorityCertificate, host, success, trusted, trusting } from "../faults/authority.ts";
import { identity } from "../faults/certificates.ts";
import { type Act, accepting, securing } from "../faults/peers.ts";
import { tunnelsTo } from "../faults/tunnels.ts";
import { folderWith } from "../support/folder.ts";
import { leaks, planted } from "../support/planted.ts";
import { childNode, runAsChild } from "../support/run.ts";
import { checksOf, plain, rcOf } from "./profiles.ts";

/** Whether the program can read the system's certificates: Node 20 cannot. */
const readable =
  process.env.REFERRAL_AUTH_EXECUTABLE !== undefined ||
  execFileSync(childNode, ["-p", "typeof require('tls').getCACertificates"], { encoding: "utf8" }) ===
    "function\n";
const other = identity({ commonName: "Other CA" }).cert;

/** An environment in which these are the system's certificates: OpenSSL tells Node where they are. */
function systemOf(certificates: string, more: Readonly<Record<string, string>> = {}) {
  const file = join(folderWith({ "system.pem": certificates }), "system.pem");
  return {
    REFERRAL_TOKEN: planted.token,
    SSL_CERT_FILE: file,
    SSL_CERT_DIR: folderWith(),
    ...more,
  };
}

/** The steps that `--verbose` shows. */
const stepsOf = (stderr: string): readonly string[] =>
  [...stderr.matchAll(/^\* +[\d.]+ ms {2}(\S+)/gm)].map(([, step = ""]) => step);

describe.runIf(readable)("a CA of the system's store alone", () => {
  test("is trusted: one request, one attempt, one timeline", async () => {
    const peer = await api();
    const environment = systemOf(authorityCertificate, { REFERRAL_BASE_URL: peer.url });

    const run = await runAsChild(["test", "--json", "--verbose"], { environment });

    expect(run.exitCode).toBe(0);
    expect(JSON.parse(run.stdout).checks).toMatchObject([{ outcome: "accepted", request: { attempts: 1 } }]);
    expect(stepsOf(run.stderr)).toEqual([
      "connect",
      "UNABLE_TO_VERIFY_LEAF_SIGNATURE:",
      "connect",
      "tls",
      "request",
      "headers",
      "end",
      "over",
    ]);
    const times = [...run.stderr.matchAll(/^\* +([\d.]+) ms/gm)].map(([, time]) => Number(time));
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    expect([peer.connections(), peer.requests()]).toEqual([2, 1]);
    expect(leaks(run.everything)).toEqual([]);
  });

  test("is trusted of an https proxy", async () => {
    const target = await api();
    const proxy = await securing(trusted, tunnelsTo(target));
    const environment = systemOf(authorityCertificate, { REFERRAL_BASE_URL: `https://${host}` });

    const run = await runAsChild(["test", "--proxy", proxy.url], { environment });

    expect(run.exitCode).toBe(0);
    expect([proxy.connections(), proxy.requests(), target.requests()]).toEqual([2, 1, 1]);
  });

  test("is trusted together with --ca-cert", async () => {
    const own = identity({ commonName: "Another API", names: ["IP:127.0.0.1"] });
    const [first, second] = [await api(), await securing(own, success)];
    const homeFolder = folderWith({ ".referralrc": rcOf(first.url, { a: {}, b: { baseUrl: second.url } }) });

    const args = ["test", "--all", "--json", "--concurrency", "1", ...trusting(own.cert)];
    const run = await runAsChild(args, { environment: systemOf(authorityCertificate), homeFolder });

    expect(checksOf(run.stdout).map(({ outcome }) => outcome)).toEqual(["accepted", "accepted"]);
    expect([first.connections(), second.connections()]).toEqual([2, 1]);
  });

  test("is looked up once in a run", async () => {
    const peer = await api();
    const homeFolder = folderWith({ ".referralrc": rcOf(peer.url, plain(5)) });

    const run = await runAsChild(["test", "--all", "--json", "--concurrency", "1"], {
      environment: systemOf(authorityCertificate),
      homeFolder,
    });

    expect(checksOf(run.stdout).map(({ outcome }) => outcome)).toEqual(Array(5).fill("accepted"));
    expect([peer.connections(), peer.requests()]).toEqual([6, 5]);
  });

  test("is not read if --ca-cert is enough", async () => {
    const peer = await api();
    const environment = systemOf(other, { REFERRAL_BASE_URL: peer.url });

    const run = await runAsChild(["test", ...trusting()], { environment });

    expect(run.exitCode).toBe(0);
    expect([peer.connections(), peer.requests()]).toEqual([1, 1]);
  });

  test("gets no second deadline", async () => {
    const peer = await api();
    const toPeer: Act = (socket) => {
      const onward = connect(Number(new URL(peer.url).port), "127.0.0.1");
      onward.on("error", () => {});
      socket.pipe(onward).pipe(socket);
    };
    let connections = 0;
    const front = await accepting("https", (socket) => {
      connections += 1;
      // The first handshake takes most of the time, and the second never happens.
      if (connections === 1) setTimeout(() => toPeer(socket), 700);
    });
    const environment = systemOf(authorityCertificate, { REFERRAL_BASE_URL: front.url });

    const run = await runAsChild(["test", "--json", "--timeout", "1"], { environment });

    expect(run.exitCode).toBe(8);
    const [check] = JSON.parse(run.stdout).checks;
    expect(check.request.durationMs).toBeLessThan(1250);
    expect([connections, peer.requests()]).toEqual([2, 0]);
  });
});

test("a CA that is in no store is refused, with the finding for it", async () => {
  const peer = await api();
  const environment = systemOf(other, { REFERRAL_BASE_URL: peer.url });

  const run = await runAsChild(["test", "--json", ...trusting(other)], { environment });

  expect(run.exitCode).toBe(7);
  expect(JSON.parse(run.stdout).checks).toMatchObject([
    {
      outcome: "unreachable",
      findings: [
        {
          id: "certificate-unknown-ca",
          certainty: "measured",
          message: expect.stringContaining("Faults CA"),
        },
      ],
    },
  ]);
  expect(peer.requests()).toBe(0);
});

test.each(["--ca-cert", "NODE_EXTRA_CA_CERTS"])(
  "every certificate of a file of %s is trusted",
  async (by) => {
    const [peer, proxyCa] = [await api(), identity({ commonName: "127.0.0.1", names: ["IP:127.0.0.1"] })];
    const own = await securing(proxyCa, success);
    const bundle = [other, authorityCertificate, "# a remark\n", proxyCa.cert].join("\n");
    const file = join(folderWith({ "ca.pem": bundle }), "ca.pem");
    const [args, more] = by === "--ca-cert" ? [[by, file], {}] : [[], { [by]: file }];

    for (const { url, connections, requests } of [peer, own]) {
      const environment = systemOf(other, { REFERRAL_BASE_URL: url, ...more });
      const run = await runAsChild(["test", ...args], { environment });

      expect(run).toMatchObject({ exitCode: 0, stderr: "" });
      expect([connections(), requests()]).toEqual([1, 1]);
    }
  },
);
