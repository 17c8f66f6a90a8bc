import { expect, test } from "vitest";
import { codeOf } from "../../src/http/failure.ts";
import { addressesFor, sharing, systemLookup } from "../../src/http/lookup.ts";

const addresses = (some: readonly string[]) => some.map((address) => ({ address, family: 4 }));

test.each([
  [["127.0.0.1"], addresses(["127.0.0.1"])],
  [["192.0.2.1"], "NOT_LOOPBACK"],
  [["127.0.0.1", "192.0.2.1"], "NOT_LOOPBACK"],
  [[], "ENOTFOUND"],
])("localhost may have loopback addresses alone: %j", async (found, expected) => {
  const end = await addressesFor("localhost", async () => addresses(found)).catch(codeOf);
  expect(end).toEqual(expected);
});

test("a lookup that fails keeps its code", async () => {
  const failing = () => Promise.reject(Object.assign(new Error("no"), { code: "EAI_AGAIN" }));
  await expect(addressesFor("localhost", failing)).rejects.toMatchObject({ code: "EAI_AGAIN" });
});

test("any other name may have any address", async () => {
  const found = addresses(["127.0.0.1", "192.0.2.1"]);
  expect(await addressesFor("a.example", async () => found)).toBe(found);
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
