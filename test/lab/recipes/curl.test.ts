// The table "Why not curl?" of the README: each row is tried with the real curl and with the tool, side by side.

import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { identity } from "../../faults/certificates.ts";
import { tableBelow } from "../../support/pages.ts";
import { planted } from "../../support/planted.ts";
import { json, serve } from "../../support/serve.ts";
import { bash, type Machine, machineWith } from "./machine.ts";

const day = 86_400_000;
const refused = { code: 401, message: "The credentials were not accepted." };
const page = "<html><head><title>Sign in to Example</title></head><body><form>user</form></body></html>";

/** A server that answers each path as one situation. */
async function situations(): Promise<string> {
  const { url } = await serve((request, response) => {
    switch (request.url?.split("/")[1]) {
      case "clock":
        return json(response, 401, refused, { date: new Date(Date.now() - 400_000).toUTCString() });
      case "lock":
        return json(response, 423, { code: 423, message: "Account is locked" });
      case "login":
        return response.writeHead(200, { "content-type": "text/html" }).end(page);
      case "redirect":
        return response.writeHead(302, { location: "/login" }).end();
      case "pause":
        return json(response, 429, { code: 429, message: "Too many requests" }, { "retry-after": "30" });
      default:
        return json(response, 401, refused);
    }
  });
  return url;
}

/** A server whose certificate expired yesterday, and the machine's file of the CA that issued it. */
async function expired(): Promise<{ readonly url: string; readonly ca: string }> {
  const commonName = "Test CA";
  const ca = identity({ commonName });
  const wanted = { commonName: "localhost", names: ["DNS:localhost", "IP:127.0.0.1"] };
  const [validFrom, validTo] = [new Date(Date.now() - 30 * day), new Date(Date.now() - day)];
  const server = createServer(identity({ ...wanted, validFrom, validTo }, { ...ca, commonName }));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return { url: `https://localhost:${(server.address() as AddressInfo).port}`, ca: ca.cert };
}

const rows = tableBelow("Why not curl?", "README.md");

/** What the row says of each program: the texts in backticks, and the code. */
function claimOf(row: readonly string[]) {
  const texts = (cell = ""): readonly string[] =>
    [...cell.matchAll(/`([^`]+)`/g)].map(([, text = ""]) => text);
  const [what = "", curl, curlCode, tool, toolCode] = row;
  return {
    what,
    curl: texts(curl),
    curlCode: Number(curlCode),
    tool: texts(tool),
    toolCode: Number(toolCode),
  };
}

/** The end of each base URL, by the row of the table. Those without one lead elsewhere. */
const paths: Readonly<Record<string, string>> = {
  "a wrong token": "/token",
  "this clock is wrong (WSSE)": "/clock",
  "the account is locked": "/lock",
  "a login page answers": "/login",
  "the server redirects to it": "/redirect",
  "too many requests": "/pause",
};

async function bothAt(what: string, fail = "") {
  const tls = await expired();
  const machine: Machine = machineWith({ "ca.pem": tls.ca });
  const isTls = what === "the certificate expired";
  const http = await situations();
  const baseUrl = isTls ? tls.url : what in paths ? `${http}${paths[what]}` : "http://127.0.0.1:9";
  const wsse = what.includes("WSSE");
  const given = {
    REFERRAL_BASE_URL: baseUrl,
    ...(isTls && { REFERRAL_CA_CERT: join(machine.folder, "ca.pem") }),
    ...(wsse
      ? { REFERRAL_USERNAME: planted.username, REFERRAL_SECRET: planted.secret }
      : { REFERRAL_TOKEN: planted.token }),
  };
  const method = wsse ? "--wsse" : "--token";
  const header = `-H "$(referral-auth header ${method})"`;
  const script = `curl -sS ${fail} ${isTls ? "--cacert ca.pem" : ""} ${header} "$REFERRAL_BASE_URL/test-authentication"`;
  return { curl: await bash(machine, script, given), tool: await bash(machine, "referral-auth test", given) };
}

test("the README compares eight situations, and each is made here", () => {
  expect(rows).toHaveLength(8);
  const made = [...Object.keys(paths), "the certificate expired", "nothing listens"];
  expect(rows.map((row) => claimOf(row).what)).toEqual(made);
});

test.each(rows.map(claimOf))("curl and the tool say of it what the README says: $what", async (claim) => {
  const { curl, tool } = await bothAt(claim.what);

  expect([curl.exitCode, tool.exitCode], curl.everything + tool.everything).toEqual([
    claim.curlCode,
    claim.toolCode,
  ]);
  for (const text of claim.curl) expect(curl.everything).toContain(text);
  if (claim.curl.length === 0) expect(curl.everything).toBe("");
  for (const text of claim.tool) {
    expect(tool.stdout).toContain(text);
    expect(curl.everything).not.toContain(text);
  }
});

test("with --fail, curl ends with 22 for a refusal, a lock and a limit alike, without their words", async () => {
  for (const row of [rows[0], rows[1], rows[2], rows[5]]) {
    const { what, curl: words } = claimOf(row ?? []);
    const { curl } = await bothAt(what, "--fail");
    expect(curl.exitCode, what).toBe(22);
    for (const text of words) expect(curl.everything).not.toContain(text);
  }
});
