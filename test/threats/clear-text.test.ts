import { describe, expect, test } from "vitest";
import { leaks, planted } from "../support/planted.ts";
import { ways } from "../support/run.ts";
import { acceptance, canary, otherAddress } from "./places.ts";

const environment = { REFERRAL_TOKEN: planted.token };
// A name could resolve to any address: the one of a machine that only has loopback stands for it.
const address = otherAddress ?? "127.0.0.1";
const host = otherAddress ?? "0.0.0.0";

// test/settings/base-url.test.ts says which hosts are loopback, test/check/prepare-errors.test.ts what the error says.
describe.each(ways)("http:// to a host that is no loopback address, %s:", (_, run) => {
  test("is refused without --insecure-http, and no variable allows it permanently", async () => {
    const listener = await canary(acceptance, address);
    const url = { REFERRAL_BASE_URL: `http://${host}:${listener.port}` };
    for (const more of [{}, { REFERRAL_INSECURE_HTTP: "1", INSECURE_HTTP: "true" }]) {
      const result = await run(["test"], { environment: { ...environment, ...url, ...more } });
      expect(result).toMatchObject({ exitCode: 3, stdout: "" });
      expect(result.stderr).toContain("--insecure-http");
      expect(leaks(result.everything)).toEqual([]);
    }
    expect([listener.connections(), listener.received()]).toEqual([0, ""]);
    const allowed = await run(["test", "--insecure-http"], { environment: { ...environment, ...url } });
    expect(allowed, allowed.everything).toMatchObject({ exitCode: 0 });
    expect(listener.connections()).toBe(1);
  });

  test.each(["127.0.0.2", "LOCALHOST"])("%s is loopback and needs no flag", async (loopback) => {
    const listener = await canary(acceptance, loopback === "LOCALHOST" ? "127.0.0.1" : loopback);
    const args = ["test", "--token", "--base-url", `http://${loopback}:${listener.port}`];
    expect(await run(args, { environment })).toMatchObject({ exitCode: 0 });
    expect(listener.connections()).toBe(1);
  });

  test("a proxy does not allow it either: http:// is refused with one", async () => {
    const listener = await canary(acceptance);
    const proxy = `http://127.0.0.1:${listener.port}`;
    const args = ["test", "--insecure-http", "--base-url", "http://api.example.com", "--proxy", proxy];
    for (const given of [args, args.slice(0, -2)]) {
      const result = await run(given, { environment: { ...environment, http_proxy: proxy } });
      expect(result).toMatchObject({ exitCode: 3, stdout: "" });
    }
    expect(listener.connections()).toBe(0);
  });
});
