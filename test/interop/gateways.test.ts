import { join } from "node:path";
import { expect, test } from "vitest";
import { emulate } from "../support/emulate.ts";
import { folderWith } from "../support/folder.ts";
import { leaks, planted } from "../support/planted.ts";
import { type Run, runAsChild } from "../support/run.ts";
import { authorityCertificate, nginx, nginxTls, tinyproxy } from "./servers.ts";

/** nginx in front of a base URL. */
const gateway = (target: string, { tls = false, location = "" } = {}): Promise<number> =>
  nginx((place) => `${tls ? nginxTls(place) : ""} location / { proxy_pass ${target}; ${location} }`, {
    listen: tls ? "ssl" : "",
  });
const caFile = (): string => join(folderWith({ "ca.pem": authorityCertificate }), "ca.pem");

const credentials = {
  REFERRAL_TOKEN: planted.token,
  REFERRAL_USERNAME: planted.username,
  REFERRAL_SECRET: planted.secret,
};

function check(args: readonly string[], environment: Readonly<Record<string, string>>): Promise<Run> {
  return runAsChild(["test", "--json", ...args], { environment: { ...credentials, ...environment } });
}

const outcomesOf = (run: Run): readonly string[] =>
  JSON.parse(run.stdout).checks.map(({ outcome }: { outcome: string }) => outcome);

test("both methods are accepted through nginx with TLS and a CA of the test's own", async () => {
  const api = await emulate();
  const port = await gateway(api.url, { tls: true });
  const ca = caFile();
  const url = `https://127.0.0.1:${port}`;

  const trusting = await check(["--ca-cert", ca], { REFERRAL_BASE_URL: url });
  expect(trusting).toMatchObject({ exitCode: 0, stderr: "" });
  expect(outcomesOf(trusting)).toEqual(["accepted", "accepted"]);

  const wary = await check([], { REFERRAL_BASE_URL: url });
  expect(wary.exitCode).toBe(7);
  expect(wary.stdout).toContain('"certificate-');
  expect(api.log).toHaveLength(2);
});

test("both methods are accepted through nginx with TLS behind a real forward proxy", async () => {
  const api = await emulate();
  const port = await gateway(api.url, { tls: true });
  const proxy = `http://127.0.0.1:${await tinyproxy()}`;
  const ca = caFile();

  const run = await check(["--ca-cert", ca, "--proxy", proxy], {
    REFERRAL_BASE_URL: `https://127.0.0.1:${port}`,
  });

  expect(run).toMatchObject({ exitCode: 0, stderr: "" });
  expect(outcomesOf(run)).toEqual(["accepted", "accepted"]);
});

test("diagnosis names a gateway as possible where nginx strips the header, and proves nothing", async () => {
  const api = await emulate();
  const port = await gateway(api.url, { location: 'proxy_set_header X-WSSE "";' });

  const run = await check(["--wsse", "--diagnose"], { REFERRAL_BASE_URL: `http://127.0.0.1:${port}` });

  expect(run.exitCode).toBe(4);
  expect(run.stdout).not.toContain('"proved"');
  expect(JSON.parse(run.stdout).checks[0].findings).toContainEqual(
    expect.objectContaining({ id: "header-ignored", certainty: "possible" }),
  );
  expect(leaks(run.everything)).toEqual([]);
});

test("diagnosis through nginx proves nothing where the secret is simply wrong", async () => {
  const api = await emulate();
  const port = await gateway(api.url);

  const run = await check(["--wsse", "--diagnose"], {
    REFERRAL_BASE_URL: `http://127.0.0.1:${port}`,
    REFERRAL_SECRET: "simply-wrong",
  });

  expect(run.exitCode).toBe(4);
  expect(run.stdout).not.toContain('"proved"');
});
