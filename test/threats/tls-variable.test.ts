import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test, vi } from "vitest";
import { identity } from "../faults/certificates.ts";
import { planted } from "../support/planted.ts";
import { runInProcess } from "../support/run.ts";
import { json, success } from "../support/serve.ts";

test("NODE_TLS_REJECT_UNAUTHORIZED changes nothing, even if it is still set when the connection is made", async () => {
  vi.stubEnv("NODE_TLS_REJECT_UNAUTHORIZED", "0");
  onTestFinished(() => void vi.unstubAllEnvs());
  const own = identity({ commonName: "127.0.0.1", names: ["IP:127.0.0.1"] });
  const https = createServer(own, (_request, response) => json(response, 200, success));
  await new Promise<void>((resolve) => https.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void https.close());
  const url = `https://127.0.0.1:${(https.address() as AddressInfo).port}`;
  const environment = { REFERRAL_TOKEN: planted.token, REFERRAL_BASE_URL: url };
  expect(await runInProcess(["test"], { environment })).toMatchObject({ exitCode: 7 });
});
