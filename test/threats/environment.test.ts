import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { identity } from "../faults/certificates.ts";
import { leaks, planted } from "../support/planted.ts";
import { runAsChild } from "../support/run.ts";
import { json, serve, success } from "../support/serve.ts";

const credentials = {
  REFERRAL_TOKEN: planted.token,
  REFERRAL_USERNAME: planted.username,
  REFERRAL_SECRET: planted.secret,
};

test.each(["0", "false", ""])(
  "NODE_TLS_REJECT_UNAUTHORIZED=%j does not switch verification off",
  async (value) => {
    let requests = 0;
    const own = identity({ commonName: "127.0.0.1", names: ["IP:127.0.0.1"] });
    const https = createServer(own, (_request, response) => {
      requests += 1;
      json(response, 200, success);
    });
    await new Promise<void>((resolve) => https.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void https.close());
    const url = `https://127.0.0.1:${(https.address() as AddressInfo).port}`;
    const environment = { ...credentials, REFERRAL_BASE_URL: url, NODE_TLS_REJECT_UNAUTHORIZED: value };
    const run = await runAsChild(["test"], { environment });
    expect(run.exitCode, run.everything).toBe(7);
    expect(requests).toBe(0);
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
