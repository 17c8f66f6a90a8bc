import { connect } from "node:net";
import { describe, expect, test } from "vitest";
import { api, authorityCertificate, success, trusting } from "../faults/authority.ts";
import { identity } from "../faults/certificates.ts";
import { type Act, accepting, securing } from "../faults/peers.ts";
import { folderWith } from "../support/folder.ts";
import { planted } from "../support/planted.ts";
import { runAsChild } from "../support/run.ts";
import { rcOf } from "./profiles.ts";

/** An environment in which the system's store has this certificate: OpenSSL tells Node where it is, and Node 20 does not ask it. */
function systemOf(certificate: string, more: Readonly<Record<string, string>> = {}) {
  const SSL_CERT_DIR = folderWith({ "system.pem": certificate });
  return { REFERRAL_TOKEN: planted.token, SSL_CERT_DIR, ...more };
}

describe("a CA of the system's store alone", () => {
  test("is trusted: one request, one attempt, one timeline", async () => {
    const peer = await api();
    const environment = systemOf(authorityCertificate, { REFERRAL_BASE_URL: peer.url });

    const run = await runAsChild(["test", "--json", "--verbose"], { environment });

    expect(run.exitCode).toBe(0);
    expect(run.checks).toMatchObject([{ outcome: "accepted", request: { attempts: 1 } }]);
    const timeline = [...run.stderr.matchAll(/^\* +([\d.]+) ms {2}(\S+)/gm)];
    expect(timeline.map(([, , step]) => step)).toEqual(["connect", "tls", "request", "response", "over"]);
    expect([peer.connections(), peer.requests()]).toEqual([2, 1]);
  });

  test("is looked up once in a run, and trusted together with --ca-cert", async () => {
    const own = identity({ commonName: "Another API", names: ["IP:127.0.0.1"] });
    const [first, second] = [await api(), await securing(own, success)];
    const profiles = { a: {}, b: { baseUrl: second.url }, c: {}, d: {} };
    const homeFolder = folderWith({ ".referralrc": rcOf(first.url, profiles) });

    const args = ["test", "--all", "--json", "--concurrency", "1", ...trusting(own.cert)];
    const run = await runAsChild(args, { environment: systemOf(authorityCertificate), homeFolder });

    expect(run.checks.map(({ outcome }) => outcome)).toEqual(Array(4).fill("accepted"));
    expect([first.connections(), second.connections()]).toEqual([4, 1]);
  });

  test("gets no second deadline", async () => {
    const peer = await api();
    const toPeer: Act = (socket) => {
      const onward = connect(Number(new URL(peer.url).port), "127.0.0.1");
      onward.on("error", () => {});
      socket.pipe(onward).pipe(socket);
    };
    let connections = 0;
    let waitedAgain = false;
    const front = await accepting("https", (socket) => {
      connections += 1;
      // The first handshake takes most of the time, and the second never happens.
      if (connections === 1) return void setTimeout(() => toPeer(socket), 2_000);
      // As long as the whole deadline, and from here on.
      const again = setTimeout(() => (waitedAgain = true), 3_000);
      socket.once("close", () => clearTimeout(again));
    });
    const environment = systemOf(authorityCertificate, { REFERRAL_BASE_URL: front.url });

    const run = await runAsChild(["test", "--json", "--timeout", "3"], { environment });

    expect(run.exitCode).toBe(8);
    expect(run.checks).toMatchObject([{ outcome: "timeout", failure: { step: "tls" } }]);
    expect(waitedAgain).toBe(false);
    // With OpenSSL 3.5 or later, one is the handshake with a small ClientHello.
    expect([2, 3]).toContain(connections);
    expect(peer.requests()).toBe(0);
  });
});
