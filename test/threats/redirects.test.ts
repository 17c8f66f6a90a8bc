import { describe, expect, test } from "vitest";
import { leaks, planted } from "../support/planted.ts";
import { ways } from "../support/run.ts";
import { json, serve, success } from "../support/serve.ts";

const environment = {
  REFERRAL_TOKEN: planted.token,
  REFERRAL_USERNAME: planted.username,
  REFERRAL_SECRET: planted.secret,
};

// test/faults/status.test.ts has every status.
describe.each(ways)("a redirect, %s,", (_, run) => {
  test.each<[string, number, (other: string) => string]>([
    ["another origin", 307, (other) => `${other}/test-authentication`],
    ["another origin, with the credential in its query", 308, (other) => `${other}/?t=${planted.token}`],
    ["another origin, without a scheme", 301, (other) => other.replace("http:", "")],
    ["itself", 302, () => "/elsewhere"],
  ])("to %s exits 6 and is not followed", async (_name, status, location) => {
    const other = await serve((_request, response) => json(response, 200, success));
    const api = await serve((_request, response) =>
      json(response, status, success, { location: location(other.url) }),
    );
    const result = await run(["test"], { environment: { ...environment, REFERRAL_BASE_URL: api.url } });
    expect(result).toMatchObject({ exitCode: 6, stderr: "" });
    expect([other.requests.length, other.connections()]).toEqual([0, 0]);
    expect(api.requests).toHaveLength(2);
    expect(api.requests.map(({ path }) => path)).toEqual(["/test-authentication", "/test-authentication"]);
    expect(leaks(result.everything)).toEqual([]);
  });
});
