import { expect, test } from "vitest";
import { leaks } from "../support/planted.ts";
import { runAsChild } from "../support/run.ts";
import { api, names, signed, success, trusted, trusting } from "./authority.ts";
import { type Identity, identity } from "./certificates.ts";
import { check, type Fault, methods, testFaults } from "./faults.ts";
import { type Peer, securing } from "./peers.ts";

const selfSigned = (): Identity => identity({ commonName: "api", names });

async function serving(own: Identity, args: readonly string[] = trusting()): Promise<Peer> {
  return { ...(await securing(own, success)), args };
}

/** Certificates that must be refused; tls-causes.test.ts has the others. */
const refused: ReadonlyArray<readonly [title: string, says: string, serve: () => Promise<Peer>]> = [
  ["an unknown CA", "UNABLE_TO_VERIFY_LEAF_SIGNATURE", () => serving(trusted, [])],
  [
    "a certificate of this host by its common name alone",
    "ERR_TLS_CERT_ALTNAME_INVALID",
    () => serving(signed({ commonName: "127.0.0.1", names: ["DNS:other.invalid"] })),
  ],
];

testFaults("certificates", [
  ...refused.map(
    ([title, says, serve]): Fault => ({
      title,
      serve,
      exit: 7,
      says: `no trusted TLS connection (${says})`,
      requests: 0,
      unverified: !says.includes("ALTNAME"),
      asChild: title === "an unknown CA",
    }),
  ),
  {
    title: "a certificate of the trusted CA",
    serve: async () => ({ ...(await api()), args: trusting() }),
    exit: 0,
    asChild: true,
  },
  {
    title: "a self-signed certificate that is trusted itself",
    serve: () => {
      const own = selfSigned();
      return serving(own, trusting(own.cert));
    },
    exit: 0,
  },
]);

test.each(methods)("NODE_TLS_REJECT_UNAUTHORIZED=0 changes nothing, %s", async (method) => {
  const peer = await serving(selfSigned(), []);
  const environment = { NODE_TLS_REJECT_UNAUTHORIZED: "0" };

  const result = await check({ ...peer, environment }, method, runAsChild);

  expect(result.exitCode).toBe(7);
  expect(result.stdout).toContain("DEPTH_ZERO_SELF_SIGNED_CERT");
  // Node's own warning would say that verification is off, which is not so.
  expect(result.stderr).toBe("");
  expect(leaks(result.everything)).toEqual([]);
  expect(peer.requests()).toBe(0);
});
