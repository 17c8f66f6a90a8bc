import { expect, test } from "vitest";
import { leaks, planted } from "../support/planted.ts";
import { ways } from "../support/run.ts";
import { json, serve, success } from "../support/serve.ts";

const environment = {
  REFERRAL_TOKEN: planted.token,
  REFERRAL_USERNAME: planted.username,
  REFERRAL_SECRET: planted.secret,
};

const redirects = [301, 302, 303, 307, 308].flatMap((status) =>
  [
    ["another origin", (other: string) => `${other}/test-authentication`],
    ["another origin, with the credential in its query", (other: string) => `${other}/?t=${planted.token}`],
    ["another origin, without a scheme", (other: string) => other.replace("http:", "")],
    ["itself", () => "/elsewhere"],
  ].map(([target, location]) => ({
    status,
    target: target as string,
    location: location as (other: string) => string,
  })),
);

test.each(ways.flatMap(([way, run]) => redirects.map((redirect) => ({ way, run, ...redirect }))))(
  "$way: $status to $target exits 6 and is not followed",
  async ({ run, status, location }) => {
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
  },
);
