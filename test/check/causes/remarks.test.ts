import { expect, test } from "vitest";
import { hostAndPort } from "../../../src/http/record.ts";
import { shownHost } from "../../../src/system/addresses.ts";
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
  const literal = hostAndPort(new URL(`https://${shownHost(address)}`)).host;
  for (const name of ["localhost", "api.localhost", literal])
    expect(
      found("local-address", {
        ...connectedAs(exchange, { address: literal }),
        url: `https://${shownHost(name)}/test-authentication`,
      }),
    ).toBeUndefined();
  expect(found("local-address", connectedAs(silent.exchange, { address: "192.0.2.7" }))).toBeUndefined();
});

test.each([
  ["api", false],
  ["proxy", true],
] as const)("a proxy on this machine counts only where it fails: at %s %s", (at, counts) => {
  const peer = { host: "p.example", port: 3128 };
  const known = { step: "tls", code: "ECONNRESET", at, ...(at === "proxy" && { peer }) } as const;
  const exchange = failed(known, { ...through, address: "127.0.0.1" });
  expect(found("local-address", { exchange }) !== undefined).toBe(counts);
});
