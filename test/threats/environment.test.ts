import { expect, onTestFinished, test, vi } from "vitest";
import { api } from "../faults/authority.ts";
import { leaks, planted } from "../support/planted.ts";
import { runAsChild, runInProcess } from "../support/run.ts";
import { json, serve, success } from "../support/serve.ts";

const credentials = {
  REFERRAL_TOKEN: planted.token,
  REFERRAL_USERNAME: planted.username,
  REFERRAL_SECRET: planted.secret,
};

test.each(["0", "false", ""])(
  "NODE_TLS_REJECT_UNAUTHORIZED=%j does not switch verification off, even if it is set when the connection is made",
  async (value) => {
    const { url, requests } = await api();
    const environment = { ...credentials, REFERRAL_BASE_URL: url, NODE_TLS_REJECT_UNAUTHORIZED: value };
    vi.stubEnv("NODE_TLS_REJECT_UNAUTHORIZED", value);
    onTestFinished(() => void vi.unstubAllEnvs());
    for (const run of [runAsChild, runInProcess]) {
      const result = await run(["test"], { environment });
      expect(result.exitCode, result.everything).toBe(7);
    }
    expect(requests()).toBe(0);
  },
);

// Node prints these texts, but the program must not let a secret into them.
test.each<readonly [string, Readonly<Record<string, string>>]>([
  ["NODE_DEBUG=*", { NODE_DEBUG: "*" }],
  ["NODE_DEBUG of HTTP and sockets", { NODE_DEBUG: "http,net,tls,undici,fetch,stream" }],
  ["DEBUG=*", { DEBUG: "*" }],
  [
    "NODE_OPTIONS with traces",
    { NODE_OPTIONS: "--trace-warnings --trace-uncaught --trace-exit --enable-source-maps" },
  ],
])("%s shows no secret, whatever the outcome", async (_, more) => {
  for (const status of [200, 401]) {
    const api = await serve((_request, response) => json(response, status, { ...success, code: status }));
    const environment = { ...credentials, REFERRAL_BASE_URL: api.url, ...more };
    const run = await runAsChild(["test", "--json"], { environment });
    expect(run.exitCode).toBe(status === 200 ? 0 : 4);
    expect(leaks(run.everything)).toEqual([]);
  }
  const wrong = await runAsChild(["test", `--tokenn=${planted.secret}`], { environment: more });
  expect(wrong.exitCode).toBe(2);
  expect(leaks(wrong.everything)).toEqual([]);
});
