import { expect, test } from "vitest";
import { failed } from "../../support/exchanges.ts";
import { connectedAs, refusal, silent, through, tried } from "./exchanges.ts";
import { found } from "./found.ts";

test.each<readonly [string, string | null]>([
  ["0.0.0.0", "0.0.0.0"],
  ["::", "[::]"],
  ["127.0.0.53", "127.0.0.53"],
  ["::1", "[::1]"],
  ["::ffff:127.0.0.1", "[::ffff:127.0.0.1]"],
  ["10.0.0.1", null],
  ["2001:db8::1", null],
])("a name that leads to %s, tried or reached, leads to this machine: %s", (address, shown) => {
  const says = shown && expect.stringContaining(`api.example.com leads to ${shown}, an address of this`);
  const { exchange } = refusal();
  for (const record of [{ address }, { address: "192.0.2.7", tried: tried([address, "ECONNREFUSED"]) }])
    expect(found("local-address", connectedAs(exchange, record))?.message ?? null).toEqual(says);
  for (const name of ["localhost", "api.localhost", address])
    expect(
      found("local-address", connectedAs(exchange, { address, peer: { host: name, port: 443 } })),
    ).toBeUndefined();
  expect(found("local-address", connectedAs(silent.exchange, { address: "192.0.2.7" }))).toBeUndefined();
});

test.each([
  ["tls", false],
  ["proxy", true],
] as const)("a proxy on this machine counts only where it fails: at %s %s", (step, counts) => {
  const exchange = failed(
    { step: "tls", code: "ECONNRESET", reason: "", certificate: null },
    { ...through, step, address: "127.0.0.1" },
  );
  expect(found("local-address", { exchange }) !== undefined).toBe(counts);
});
