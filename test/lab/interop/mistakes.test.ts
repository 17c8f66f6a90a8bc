import { join } from "node:path";
import { expect, test } from "vitest";
import { authorityCertificate } from "../../faults/authority.ts";
import { folderWith } from "../../support/folder.ts";
import { planted } from "../../support/planted.ts";
import { runInProcess } from "../../support/run.ts";
import { apache, haproxy, nginx, nginxTls, type Place } from "./servers.ts";

const apacheTls = ({ folder }: Place): string =>
  `SSLEngine on\nSSLCertificateFile ${folder}/server.pem\nSSLCertificateKeyFile ${folder}/server.key\n`;
const haproxyTls = ({ folder }: Place): string => `ssl crt ${folder}/both.pem`;
const asksForCertificate = {
  nginx: (place: Place): string =>
    `${nginxTls(place)} ssl_client_certificate ${place.folder}/ca.pem; ssl_verify_client on;`,
  apache: (place: Place): string =>
    `${apacheTls(place)}SSLCACertificateFile ${place.folder}/ca.pem\nSSLVerifyClient require\n`,
  apacheWithTls12: (place: Place): string => `${asksForCertificate.apache(place)}SSLProtocol TLSv1.2\n`,
  haproxy: (place: Place): string => `${haproxyTls(place)} ca-file ${place.folder}/ca.pem verify required`,
};
const asksForUser = {
  nginx: ({ folder }: Place): string =>
    `auth_basic gateway; auth_basic_user_file ${folder}/none; location / {}`,
  apache: ({ folder }: Place): string =>
    `<Location />\nAuthType Basic\nAuthName gateway\nAuthUserFile ${folder}/none\nRequire valid-user\n</Location>`,
};

const tls = { listen: "ssl" };
const writeHttps = "Write https:// in the base URL";
const certificate = "client certificate";
const path = "Check the path of the base URL";
const gateway = "asks for other credentials (basic)";
const noEvidence = "nothing shows that the API itself answered";
const serverFailed = "the server failed (502) and did not check the credential";

// What is wrong, the server, the scheme of the base URL, the exit code and a part of the report.
test.each([
  ["HTTP to a TLS port of nginx", () => nginx(nginxTls, tls), "http", 6, writeHttps],
  ["HTTP to a TLS port of Apache", () => apache(apacheTls), "http", 6, writeHttps],
  ["HTTP to a TLS port of HAProxy", () => haproxy("", haproxyTls), "http", 7, "may expect https"],
  ["no client certificate for nginx", () => nginx(asksForCertificate.nginx, tls), "https", 6, certificate],
  ["no client certificate for Apache", () => apache(asksForCertificate.apache), "https", 7, certificate],
  ["the same with TLS 1.2", () => apache(asksForCertificate.apacheWithTls12), "https", 7, certificate],
  [
    "no client certificate for HAProxy",
    () => haproxy("", asksForCertificate.haproxy),
    "https",
    7,
    certificate,
  ],
  ["a path that nginx does not have", () => nginx(() => "return 404;"), "http", 6, path],
  ["a path that Apache does not have", () => apache(() => ""), "http", 6, path],
  ["a path that HAProxy does not have", () => haproxy("http-request return status 404"), "http", 6, path],
  ["nginx, which asks for a user", () => nginx(asksForUser.nginx), "http", 6, gateway],
  ["Apache, which asks for a user", () => apache(asksForUser.apache), "http", 6, gateway],
  ["HAProxy, which asks for a user", () => haproxy("http-request auth realm gateway"), "http", 6, gateway],
  ["nginx, which forbids everything", () => nginx(() => "return 403;"), "http", 6, noEvidence],
  ["HAProxy, which forbids everything", () => haproxy("http-request deny"), "http", 6, noEvidence],
  [
    "nginx without its API",
    () => nginx(() => "location / { proxy_pass http://127.0.0.1:1; }"),
    "http",
    5,
    serverFailed,
  ],
])("%s is named, and the credential is not blamed", async (_, start, scheme, exitCode, says) => {
  const environment = {
    REFERRAL_TOKEN: planted.token,
    REFERRAL_BASE_URL: `${scheme}://127.0.0.1:${await start()}`,
    REFERRAL_CA_CERT: join(folderWith({ "ca.pem": authorityCertificate }), "ca.pem"),
  };

  const run = await runInProcess(["test"], { environment });

  expect(run, run.everything).toMatchObject({ exitCode, stderr: "" });
  expect(run.stdout).toContain(says);
});
