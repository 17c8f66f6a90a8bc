import { expect, test } from "vitest";
import { leaks, planted } from "../../support/planted.ts";
import { runInProcess } from "../../support/run.ts";
import { apache, haproxy, nginx, squid, tinyproxy } from "./servers.ts";

const open = () => squid(() => "http_access allow all");
const asking = () =>
  squid(
    ({ folder }) => `auth_param basic program /usr/lib/squid/basic_ncsa_auth ${folder}/users
      acl known proxy_auth REQUIRED
      http_access allow known
      http_access deny all`,
  );
const tinyproxyAsking = () => tinyproxy("BasicAuth known right");

const unreachable = "it could not reach 127.0.0.1 port 1";
const forbidden = "Ask the operator of the proxy to allow the API's host";
const writeUser = "Write the user and the password into the URL of the proxy";
const noProxy = "it is a web server and no proxy";

// What is wrong, the proxy, its user if there is one, and parts of the report.
test.each([
  ["Squid, which cannot reach the API", open, "", [unreachable, "ERR_CONNECT_FAIL"]],
  ["tinyproxy, which cannot reach the API", tinyproxy, "", [unreachable]],
  ["Squid, which forbids the host", () => squid(() => "http_access deny all"), "", [forbidden]],
  ["tinyproxy, which forbids the port", () => tinyproxy("ConnectPort 443"), "", [forbidden]],
  ["Squid, which asks for a user", asking, "", [writeUser]],
  ["tinyproxy, which asks for a user", tinyproxyAsking, "", [writeUser]],
  ["Squid, which knows another password", asking, "known:wrong@", ["refused"]],
  ["tinyproxy, which knows another password", tinyproxyAsking, "known:wrong@", ["refused"]],
  ["nginx as a proxy", () => nginx(() => "return 200 ok;"), "", [noProxy]],
  ["Apache as a proxy", () => apache(() => ""), "", [noProxy]],
  ["HAProxy as a proxy", () => haproxy("http-request return status 404"), "", [noProxy]],
])("%s is named, and the API is not accused", async (_, start, user, says) => {
  const environment = { REFERRAL_TOKEN: planted.token, REFERRAL_BASE_URL: "https://127.0.0.1:1" };
  const proxy = `http://${user}127.0.0.1:${await start()}`;

  const run = await runInProcess(["test", "--proxy", proxy], { environment });

  expect(run, run.everything).toMatchObject({ exitCode: 7, stderr: "" });
  for (const words of says) expect(run.stdout).toContain(words);
  expect(leaks(run.everything, ["known:wrong"])).toEqual([]);
});
