import { expect, test } from "vitest";
import { forSocket, sharing, systemLookup } from "../../src/http/lookup.ts";

/** What a socket is told when a host, or `localhost`, has these addresses. */
function told(addresses: readonly string[] | Error, host = "localhost") {
  const all = addresses instanceof Error ? addresses : addresses.map((address) => ({ address, family: 4 }));
  const lookup = forSocket(async () => {
    if (all instanceof Error) throw all;
    return all;
  });
  return new Promise((resolve) =>
    lookup(host, {}, (error, found) => resolve(error === null ? found : { code: error.code, found })),
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

test("any other name may have any address", async () => {
  expect(await told(["127.0.0.1", "192.0.2.1"], "a.example")).toHaveLength(2);
});

test("those who ask at the same time share a lookup by its name, and nothing is kept once it has ended", async () => {
  const asked: string[] = [];
  const lookup = sharing(async (host) => {
    asked.push(host);
    await Promise.resolve();
    if (host === "b") throw new Error("no b");
    return [{ address: `192.0.2.${asked.length}`, family: 4 }];
  });
  const all = () => Promise.allSettled(["a", "b", "a", "b", "c"].map(lookup));
  const first = await all();
  expect(asked).toEqual(["a", "b", "c"]);
  expect(first.map(({ status }) => status).join()).toBe("fulfilled,rejected,fulfilled,rejected,fulfilled");
  const second = await all();
  expect(asked).toEqual(["a", "b", "c", "a", "b", "c"]);
  expect(second).not.toEqual(first);
});

test("the system gives all addresses of a name, or its own error", async () => {
  expect(await systemLookup("127.0.0.1")).toEqual([{ address: "127.0.0.1", family: 4 }]);
  await expect(systemLookup("a.invalid")).rejects.toMatchObject({ syscall: "getaddrinfo" });
});
