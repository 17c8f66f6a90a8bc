import { expect, test } from "vitest";
import { trusting } from "../../faults/authority.ts";
import { emulate } from "../../support/emulate.ts";
import { planted } from "../../support/planted.ts";
import { type Run, runAsChild } from "../../support/run.ts";
import { nginx, nginxTls, tinyproxy } from "./servers.ts";

function check(baseUrl: string, args: readonly string[], secret: string = planted.secret): Promise<Run> {
  const account = { REFERRAL_USERNAME: planted.username, REFERRAL_SECRET: secret };
  const environment = { REFERRAL_BASE_URL: baseUrl, REFERRAL_TOKEN: planted.token, ...account };
  return runAsChild(["test", "--json", ...args], { environment });
}

test.each([
  ["accepted with a CA of the test's own", true, false, 0, "accepted", ""],
  ["accepted behind a real forward proxy", true, true, 0, "accepted", ""],
  ["out of reach without the CA", false, false, 7, "unreachable", '"certificate-'],
])("both methods are %s through nginx with TLS", async (_, trusts, proxied, exitCode, outcome, says) => {
  const api = await emulate();
  const server = `location / { proxy_pass ${api.url}; }`;
  const port = await nginx((place) => `${nginxTls(place)} ${server}`, { listen: "ssl" });
  const proxy = proxied ? ["--proxy", `http://127.0.0.1:${await tinyproxy()}`] : [];

  const run = await check(`https://127.0.0.1:${port}`, [...(trusts ? trusting() : []), ...proxy]);

  expect(run, run.everything).toMatchObject({ exitCode, stderr: "" });
  expect(JSON.parse(run.stdout).checks).toMatchObject([{ outcome }, { outcome }]);
  expect(run.stdout).toContain(says);
  expect(api.log).toHaveLength(exitCode === 0 ? 2 : 0);
});

const ignored = { id: "header-ignored", certainty: "possible" };

test.each([
  ["strips the header, which is named as possible", 'proxy_set_header X-WSSE "";', planted.secret, ignored],
  ["passes everything on, and the secret is simply wrong", "", "simply-wrong", {}],
])("diagnosis proves nothing where nginx %s", async (_, location, secret, finding) => {
  const api = await emulate();
  const port = await nginx(() => `location / { proxy_pass ${api.url}; ${location} }`);

  const run = await check(`http://127.0.0.1:${port}`, ["--wsse", "--diagnose"], secret);

  expect(run.exitCode).toBe(4);
  expect(run.stdout).not.toContain('"proved"');
  expect(JSON.parse(run.stdout).checks[0].findings).toContainEqual(expect.objectContaining(finding));
});
