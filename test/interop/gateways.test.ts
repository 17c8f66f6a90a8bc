import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { identity } from "../faults/certificates.ts";
import { emulate } from "../support/emulate.ts";
import { folderWith } from "../support/folder.ts";
import { leaks, planted } from "../support/planted.ts";
import { type Run, runAsChild } from "../support/run.ts";
import { startProgram } from "./program.ts";

const authority = {
  commonName: "A CA of the test's own",
  ...identity({ commonName: "A CA of the test's own" }),
};
const server = identity({ commonName: "127.0.0.1", names: ["IP:127.0.0.1"] }, authority);

/** nginx in front of a base URL, until the test is finished; gives its port. */
async function nginx(target: string, { tls = false, location = "" } = {}): Promise<number> {
  const folder = folderWith({ "server.pem": server.cert, "server.key": server.key });
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  );
  const secure = tls ? `ssl_certificate ${folder}/server.pem; ssl_certificate_key ${folder}/server.key;` : "";
  const configuration = (port: number): string => `
    daemon off; pid ${folder}/pid; error_log stderr; events {}
    http { access_log off; ${temporary.join(" ")}
      server { listen 127.0.0.1:${port}${tls ? " ssl" : ""}; ${secure}
        location / { proxy_pass ${target}; ${location} } } }`;
  const { port, stop } = await startProgram((free) => {
    writeFileSync(join(folder, "nginx.conf"), configuration(free));
    return {
      command: "/usr/sbin/nginx",
      args: ["-p", folder, "-e", "stderr", "-c", join(folder, "nginx.conf")],
    };
  });
  onTestFinished(stop);
  return port;
}

/** A tinyproxy that connects anywhere, until the test is finished; gives its port. */
async function tinyproxy(): Promise<number> {
  const folder = folderWith();
  const { port, stop } = await startProgram((free) => {
    writeFileSync(
      join(folder, "conf"),
      `Port ${free}\nListen 127.0.0.1\nAllow 127.0.0.1\nTimeout 30\nMaxClients 20\n`,
    );
    return { command: "/usr/bin/tinyproxy", args: ["-d", "-c", join(folder, "conf")] };
  });
  onTestFinished(stop);
  return port;
}

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
  const port = await nginx(api.url, { tls: true });
  const ca = join(folderWith({ "ca.pem": authority.cert }), "ca.pem");
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
  const port = await nginx(api.url, { tls: true });
  const proxy = `http://127.0.0.1:${await tinyproxy()}`;
  const ca = join(folderWith({ "ca.pem": authority.cert }), "ca.pem");

  const run = await check(["--ca-cert", ca, "--proxy", proxy], {
    REFERRAL_BASE_URL: `https://127.0.0.1:${port}`,
  });

  expect(run).toMatchObject({ exitCode: 0, stderr: "" });
  expect(outcomesOf(run)).toEqual(["accepted", "accepted"]);
});

test("a proxy that cannot reach the host is named as the reason, and the credential is not blamed", async () => {
  const proxy = `http://127.0.0.1:${await tinyproxy()}`;

  const run = await check(["--token", "--proxy", proxy], { REFERRAL_BASE_URL: "https://127.0.0.1:1" });

  expect(run.exitCode).toBe(7);
  expect(JSON.parse(run.stdout).checks[0].findings).toContainEqual(
    expect.objectContaining({ id: "proxy-refused" }),
  );
});

test("diagnosis names a gateway as possible where nginx strips the header, and proves nothing", async () => {
  const api = await emulate();
  const port = await nginx(api.url, { location: 'proxy_set_header X-WSSE "";' });

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
  const port = await nginx(api.url);

  const run = await check(["--wsse", "--diagnose"], {
    REFERRAL_BASE_URL: `http://127.0.0.1:${port}`,
    REFERRAL_SECRET: "simply-wrong",
  });

  expect(run.exitCode).toBe(4);
  expect(run.stdout).not.toContain('"proved"');
});

test("a Basic challenge of nginx is not taken for the API's", async () => {
  const api = await emulate();
  const users = join(folderWith({ users: "nobody:x\n" }), "users");
  const port = await nginx(api.url, { location: `auth_basic gateway; auth_basic_user_file ${users};` });

  const run = await check(["--token"], { REFERRAL_BASE_URL: `http://127.0.0.1:${port}` });

  expect(run.exitCode).toBe(6);
  expect(api.log).toEqual([]);
});
