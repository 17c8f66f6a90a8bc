import { join } from "node:path";
import { expect, test } from "vitest";
import { api, authorityCertificate } from "../faults/authority.ts";
import { folderWith } from "../support/folder.ts";
import { leaks, planted } from "../support/planted.ts";
import { runInProcess } from "../support/run.ts";
import { acceptance, canary } from "./places.ts";

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
    const { url, requests } = await api();
    return { rc: { caCert: "ca.pem" }, args: ["--base-url", url], reached: requests, exitCode: 0 };
  },
};

// test/settings/trust.test.ts has every pair of sources.
test.each(Object.entries(targets))(
  "a token of yours reaches what a found rc file sets in place of %s only when the file is named",
  async (flag, target) => {
    const { rc, args, reached, exitCode } = await target();
    const workingFolder = folderWith({ ".referralrc": rc, "ca.pem": authorityCertificate });
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

// test/check/prepare.test.ts has the spare token of a diagnosis, and every mix of username and secret.
test("a WSSE credential of which only the secret is yours does not reach a base URL that was found", async () => {
  const { port, connections } = await canary(acceptance);
  const rc = { baseUrl: `http://127.0.0.1:${port}`, username: planted.username };
  const run = await runInProcess(["test"], {
    workingFolder: folderWith({ ".referralrc": rc }),
    environment: { REFERRAL_SECRET: planted.secret },
  });
  expect(run, run.everything).toMatchObject({ exitCode: 3, stdout: "" });
  expect(run.stderr).toContain("REFERRAL_SECRET is yours");
  expect(connections()).toBe(0);
  expect(leaks(run.everything)).toEqual([]);
});

test("a token that stands in the found file itself reaches that file's base URL", async () => {
  const { port, connections } = await canary(acceptance);
  const rc = { baseUrl: `http://127.0.0.1:${port}`, token: planted.token };
  const run = await runInProcess(["test"], { workingFolder: folderWith({ ".referralrc": rc }) });
  expect(run, run.everything).toMatchObject({ exitCode: 0 });
  expect(connections()).toBe(1);
});

test("the token of a run does not reach a base URL or proxy that a line of --accounts sets", async () => {
  const { port, connections } = await canary(acceptance);
  const lines = [
    { profile: "a", baseUrl: `http://127.0.0.1:${port}` },
    { profile: "b", proxy: `http://127.0.0.1:${port}` },
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
  expect(connections()).toBe(0);
  expect(leaks(run.everything)).toEqual([]);
});
