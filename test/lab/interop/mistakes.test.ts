import { expect, test } from "vitest";
import type { FindingId } from "../../../src/check/result.ts";
import { trusting } from "../../faults/authority.ts";
import { emulate } from "../../support/emulate.ts";
import { leaks, planted } from "../../support/planted.ts";
import { runInProcess } from "../../support/run.ts";
import { apache, apacheTls, nginx, nginxTls, type Place, squid, tinyproxy } from "./servers.ts";

const tls = { listen: "ssl" };
const asksForCertificate = {
  nginx: (place: Place): string =>
    `${nginxTls(place)} ssl_client_certificate ${place.folder}/ca.pem; ssl_verify_client on;`,
  apache: (place: Place): string =>
    `${apacheTls(place)}SSLCACertificateFile ${place.folder}/ca.pem\nSSLVerifyClient require\n`,
};
const asksForUser = ({ folder }: Place): string =>
  `auth_basic gateway; auth_basic_user_file ${folder}/none; location / {}`;
const withoutApi = "location / { proxy_pass http://127.0.0.1:1; }";

/** Runs the program and gives its findings. Tests name them by their ids: `tsc` knows these, so none can be out of date. */
const findingsOf = async (args: readonly string[], environment = {}) => {
  const given = { REFERRAL_TOKEN: planted.token, ...environment };
  const run = await runInProcess(["test", "--json", ...args], { environment: given });
  return { run, findings: run.checks.flatMap(({ findings }) => findings) };
};

// What is wrong, the server, the scheme of the base URL, the exit code and a finding.
test.each<[string, () => Promise<number>, string, number, FindingId]>([
  ["HTTP to a TLS port of nginx", () => nginx(nginxTls, tls), "http", 6, "unexpected"],
  ["no client certificate for nginx", () => nginx(asksForCertificate.nginx, tls), "https", 6, "unexpected"],
  ["no client certificate for Apache", () => apache(asksForCertificate.apache), "https", 7, "tls-refused"],
  ["nginx, which asks for a user", () => nginx(asksForUser), "http", 6, "unexpected"],
  ["nginx, which forbids everything", () => nginx(() => "return 403;"), "http", 6, "no-evidence"],
  ["nginx without its API", () => nginx(() => withoutApi), "http", 5, "unavailable"],
])("%s is named, and the credential is not blamed", async (_, start, scheme, exitCode, id) => {
  const { run, findings } = await findingsOf([
    "--base-url",
    `${scheme}://127.0.0.1:${await start()}`,
    ...trusting(),
  ]);

  expect(run, run.everything).toMatchObject({ exitCode, stderr: "" });
  expect(findings, run.everything).toContainEqual(expect.objectContaining({ id }));
});

const openSquid = () => squid(() => "http_access allow all");
const askingSquid = () =>
  squid(
    ({ folder }) => `auth_param basic program /usr/lib/squid/basic_ncsa_auth ${folder}/users
      acl known proxy_auth REQUIRED
      http_access allow known
      http_access deny all`,
  );
const askingTinyproxy = () => tinyproxy("BasicAuth known right");

// What is wrong, the proxy, its user if there is one, and its answer to CONNECT.
test.each<[string, () => Promise<number>, string, string]>([
  ["Squid, which cannot reach the API", openSquid, "", "503"],
  ["tinyproxy, which forbids the port", () => tinyproxy("ConnectPort 443"), "", "403"],
  ["Squid, which knows another password", askingSquid, "known:wrong@", "407"],
  ["tinyproxy, which knows another password", askingTinyproxy, "known:wrong@", "401"],
  ["nginx as a proxy", () => nginx(() => "return 200 ok;"), "", "400"],
  ["Apache as a proxy", () => apache(() => ""), "", "405"],
])("%s is named, and the API is not accused", async (_, start, user, status) => {
  const proxy = ["--proxy", `http://${user}127.0.0.1:${await start()}`];
  const { run, findings } = await findingsOf(proxy, { REFERRAL_BASE_URL: "https://127.0.0.1:1" });

  expect(run.exitCode, run.everything).toBe(7);
  // A password in an option gets its warning.
  expect(run.stderr !== "", run.stderr).toBe(user !== "");
  const found = { id: "proxy-refused", message: expect.stringContaining(` ${status}`) };
  expect(findings, run.everything).toContainEqual(expect.objectContaining(found));
  expect(leaks(run.everything, ["known:wrong"])).toEqual([]);
});

test.each([
  ["Squid", openSquid],
  ["tinyproxy", tinyproxy],
])("nothing is wrong with nginx before the API and %s before nginx", async (_, start) => {
  const api = await emulate();
  const port = await nginx((place) => `${nginxTls(place)} location / { proxy_pass ${api.url}; }`, tls);
  const route = ["--base-url", `https://127.0.0.1:${port}`, "--proxy", `http://127.0.0.1:${await start()}`];
  const { token, username, secret } = planted;
  const environment = {
    REFERRAL_TOKEN: token,
    REFERRAL_USERNAME: username,
    REFERRAL_SECRET: secret,
  };

  const run = await runInProcess(["test", ...route, ...trusting()], { environment });

  expect(run, run.everything).toMatchObject({ exitCode: 0, stderr: "" });
  expect(api.log).toHaveLength(2);
});
