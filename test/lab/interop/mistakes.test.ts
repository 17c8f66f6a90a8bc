import { expect, test } from "vitest";
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

const writeHttps = "Write https:// in the base URL";
const certificate = "client certificate";
const gateway = "asks for other credentials (basic)";
const noEvidence = "nothing shows that the API itself answered";
const serverFailed = "the server failed (502): this proves nothing about the credential";

// What is wrong, the server, the scheme of the base URL, the exit code and a part of the report.
test.each([
  ["HTTP to a TLS port of nginx", () => nginx(nginxTls, tls), "http", 6, writeHttps],
  ["HTTP to a TLS port of Apache", () => apache(apacheTls), "http", 6, writeHttps],
  ["no client certificate for nginx", () => nginx(asksForCertificate.nginx, tls), "https", 6, certificate],
  ["no client certificate for Apache", () => apache(asksForCertificate.apache), "https", 7, certificate],
  ["a path that Apache does not have", () => apache(() => ""), "http", 6, "Check the path of the base URL"],
  ["nginx, which asks for a user", () => nginx(asksForUser), "http", 6, gateway],
  ["nginx, which forbids everything", () => nginx(() => "return 403;"), "http", 6, noEvidence],
  ["nginx without its API", () => nginx(() => withoutApi), "http", 5, serverFailed],
])("%s is named, and the credential is not blamed", async (_, start, scheme, exitCode, says) => {
  const baseUrl = `${scheme}://127.0.0.1:${await start()}`;
  const environment = { REFERRAL_TOKEN: planted.token };

  const run = await runInProcess(["test", "--base-url", baseUrl, ...trusting()], { environment });

  expect(run, run.everything).toMatchObject({ exitCode, stderr: "" });
  expect(run.stdout).toContain(says);
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

const unreachable = "it could not reach 127.0.0.1 port 1";
const forbidden = "Ask the operator of the proxy to allow 127.0.0.1 port 1, host and port";
const writeUser = "Write the user and the password into the URL of the proxy";
const noProxy = "it is a web server and no proxy";

// What is wrong, the proxy, its user if there is one, and a part of the report.
test.each([
  ["Squid, which cannot reach the API", openSquid, "", `ERR_CONNECT_FAIL 111): ${unreachable}`],
  ["tinyproxy, which cannot reach the API", tinyproxy, "", unreachable],
  ["Squid, which forbids the host", () => squid(() => "http_access deny all"), "", forbidden],
  ["tinyproxy, which forbids the port", () => tinyproxy("ConnectPort 443"), "", forbidden],
  ["Squid, which asks for a user", askingSquid, "", writeUser],
  ["tinyproxy, which asks for a user", askingTinyproxy, "", writeUser],
  ["Squid, which knows another password", askingSquid, "known:wrong@", "refused"],
  ["tinyproxy, which knows another password", askingTinyproxy, "known:wrong@", "refused"],
  ["nginx as a proxy", () => nginx(() => "return 200 ok;"), "", noProxy],
  ["Apache as a proxy", () => apache(() => ""), "", noProxy],
])("%s is named, and the API is not accused", async (_, start, user, says) => {
  const environment = { REFERRAL_TOKEN: planted.token, REFERRAL_BASE_URL: "https://127.0.0.1:1" };
  const proxy = `http://${user}127.0.0.1:${await start()}`;

  const run = await runInProcess(["test", "--proxy", proxy], { environment });

  expect(run.exitCode, run.everything).toBe(7);
  // A password in an option gets its warning.
  expect(run.stderr !== "", run.stderr).toBe(user !== "");
  expect(run.stdout).toContain(says);
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
