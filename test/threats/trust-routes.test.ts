import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { identity } from "../faults/certificates.ts";
import { folderWith } from "../support/folder.ts";
import { leaks, planted } from "../support/planted.ts";
import { runInProcess } from "../support/run.ts";
import { json, success } from "../support/serve.ts";
import { acceptance, canary } from "./places.ts";

const authority = { ...identity({ commonName: "Canary CA" }), commonName: "Canary CA" };
const server = identity({ commonName: "127.0.0.1", names: ["IP:127.0.0.1"] }, authority);

/** What a found rc file sets, where else the run leads, and how often the canary was reached. */
interface Target {
  readonly rc: Readonly<Record<string, string>>;
  readonly args: readonly string[];
  readonly reached: () => number;
  readonly exitCode: number;
}

const targets: Readonly<Record<string, () => Promise<Target>>> = {
  "--base-url": async () => {
    const { port, connections } = await canary(acceptance);
    return { rc: { baseUrl: `http://127.0.0.1:${port}` }, args: [], reached: connections, exitCode: 0 };
  },
  "--proxy": async () => {
    const { port, connections } = await canary("HTTP/1.1 502 No\r\n\r\n");
    const args = ["--base-url", "https://127.0.0.1:1"];
    return { rc: { proxy: `http://127.0.0.1:${port}` }, args, reached: connections, exitCode: 7 };
  },
  "--ca-cert": async () => {
    let reached = 0;
    const https = createServer(server, (_request, response) => {
      reached += 1;
      json(response, 200, success, { connection: "close" });
    });
    await new Promise<void>((resolve) => https.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void https.close());
    const args = ["--base-url", `https://127.0.0.1:${(https.address() as AddressInfo).port}`];
    return { rc: { caCert: "ca.pem" }, args, reached: () => reached, exitCode: 0 };
  },
};

// test/settings/trust.test.ts has every pair of sources.
test.each(Object.entries(targets))(
  "a token of yours reaches what a found rc file sets in place of %s only when the file is named",
  async (flag, target) => {
    const { rc, args, reached, exitCode } = await target();
    const workingFolder = folderWith({ ".referralrc": rc, "ca.pem": authority.cert });
    const given = { workingFolder, environment: { REFERRAL_TOKEN: planted.token } };

    const refused = await runInProcess(["test", ...args], given);
    expect(refused, refused.everything).toMatchObject({ exitCode: 3, stdout: "" });
    expect(refused.stderr.replace(/\s+/g, " ")).toContain(
      `give ${flag} yourself, or name the file with --config ${workingFolder}`,
    );
    expect(reached()).toBe(0);

    const allowed = await runInProcess(
      ["test", ...args, "--config", join(workingFolder, ".referralrc")],
      given,
    );
    expect(allowed, allowed.everything).toMatchObject({ exitCode });
    expect(reached()).toBe(1);
    expect(leaks(refused.everything + allowed.everything)).toEqual([]);
  },
);

test("a token that stands in the found file itself reaches that file's base URL", async () => {
  const { port, connections } = await canary(acceptance);
  const rc = { baseUrl: `http://127.0.0.1:${port}`, token: planted.token };
  const run = await runInProcess(["test"], { workingFolder: folderWith({ ".referralrc": rc }) });
  expect(run, run.everything).toMatchObject({ exitCode: 0 });
  expect(connections()).toBe(1);
});

test("the token of a run does not reach a base URL or proxy that a line of --accounts sets", async () => {
  const api = await canary(acceptance);
  const lines = [
    { profile: "a", baseUrl: `http://127.0.0.1:${api.port}` },
    { profile: "b", proxy: `http://127.0.0.1:${api.port}` },
  ];
  const run = await runInProcess(["test", "--accounts", "-", "--token", planted.token, "--json"], {
    environment: { REFERRAL_BASE_URL: "https://127.0.0.1:1", REFERRAL_TOKEN: planted.token },
    homeFolder: folderWith({ ".referralrc": { token: planted.token, tokenCommand: undefined } }),
    stdin: lines.map((line) => JSON.stringify(line)).join("\n"),
  });
  expect(run, run.everything).toMatchObject({ exitCode: 3 });
  expect(JSON.parse(run.stdout).checks).toMatchObject([
    { outcome: "not-checked" },
    { outcome: "not-checked" },
  ]);
  expect(run.stdout).toContain("because the line sets baseUrl or proxy");
  expect(api.connections()).toBe(0);
  expect(leaks(run.everything)).toEqual([]);
});
