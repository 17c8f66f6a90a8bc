import { expect, test } from "vitest";
import { main } from "../../src/app.ts";
import { leaks, planted } from "../support/planted.ts";
import { contextOf, runInProcess } from "../support/run.ts";
import { json, serve, success } from "../support/serve.ts";

test("a bug is reported by its class and place, never by its message, which can contain secrets", async () => {
  const api = await serve((_request, response) => json(response, 200, success));
  const environment = { REFERRAL_TOKEN: planted.token, REFERRAL_BASE_URL: api.url };
  const now = (): number => {
    throw new TypeError(`Cannot read ${planted.token} of https://x.example/?t=${planted.secret}`);
  };
  for (const more of [[], ["--json"]]) {
    const context = contextOf(["test", ...more], { environment, now });
    expect(await main(context)).toBe(1);
    const everything = context.stdout.text + context.stderr.text;
    expect(everything).toContain("This is a bug in referral-auth");
    expect(everything).toContain("TypeError");
    expect(leaks(everything)).toEqual([]);
  }
});

test("a redirect to another origin shows the origin only, since the rest can contain what was sent", async () => {
  const location = "https://elsewhere.example/sign-in/for-you?session=one-time";
  const api = await serve((_request, response) => json(response, 302, {}, { location }));
  for (const more of [[], ["--json"]]) {
    const environment = { REFERRAL_TOKEN: planted.token, REFERRAL_BASE_URL: api.url };
    const result = await runInProcess(["test", ...more], { environment });
    expect(result.exitCode).toBe(6);
    expect(result.stdout).toContain("https://elsewhere.example");
    expect(result.everything).not.toMatch(/for-you|one-time/);
  }
});
