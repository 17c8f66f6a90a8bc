import { expect, test } from "vitest";
import { loopbackOnly, systemLookup } from "../../src/http/lookup.ts";

/** What a socket is told when `localhost` has these addresses. */
function told(addresses: readonly string[] | Error) {
  const all = addresses instanceof Error ? addresses : addresses.map((address) => ({ address, family: 4 }));
  const lookup = loopbackOnly(async () => {
    if (all instanceof Error) throw all;
    return all;
  });
  return new Promise((resolve) =>
    lookup("localhost", {}, (error, found) => resolve(error === null ? found : { code: error.code, found })),
  );
}

test.each([
  [["127.0.0.1"], [{ address: "127.0.0.1", family: 4 }]],
  [["192.0.2.1"], { code: "NOT_LOOPBACK", found: [] }],
  [["127.0.0.1", "192.0.2.1"], { code: "NOT_LOOPBACK", found: [] }],
  [[], { code: "ENOTFOUND", found: [] }],
  [Object.assign(new Error("no"), { code: "EAI_AGAIN" }), { code: "EAI_AGAIN", found: [] }],
])("a socket connects to loopback addresses alone: of %j it is told %j", async (addresses, expected) => {
  expect(await told(addresses)).toEqual(expected);
});

test("the system gives all addresses of a name, or its own error", async () => {
  expect(await systemLookup("127.0.0.1")).toEqual([{ address: "127.0.0.1", family: 4 }]);
  await expect(systemLookup("a.invalid")).rejects.toMatchObject({ syscall: "getaddrinfo" });
});
