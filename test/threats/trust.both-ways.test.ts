import { execFileSync } from "node:child_process";
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { api, authorityCertificate } from "../faults/authority.ts";
import { folderWith } from "../support/folder.ts";
import { planted } from "../support/planted.ts";
import { runInProcess, ways } from "../support/run.ts";
import { serveAlways } from "../support/serve.ts";
import { acceptance, canary } from "./places.ts";

const yours = { REFERRAL_TOKEN: planted.token };

/** What a found rc file sets, where else the run leads, how often the canary was reached, and how a run ends that gets there. */
const targets = {
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

// test/settings/trust.test.ts has every pair of sources, test/check/prepare/prepare.test.ts every mix of username and secret.
test.each(Object.entries(targets))(
  "a token of yours reaches what a found rc file sets in place of %s only when the file is named",
  async (flag, target) => {
    const { rc, args, reached, exitCode } = await target();
    const workingFolder = folderWith({ ".referralrc": rc, "ca.pem": authorityCertificate });
    const given = { workingFolder, environment: yours };

    const refused = await runInProcess(["test", ...args], given);
    expect(refused, refused.everything).toMatchObject({ exitCode: 3, stdout: "" });
    const advice = `give ${flag} yourself, or name the file with --config ${workingFolder}`;
    expect(refused.stderr.replace(/\s+/g, " ")).toContain(advice);
    expect(reached()).toBe(0);

    const allowed = await runInProcess(["test", ...args, "--config", ".referralrc"], given);
    expect(allowed, allowed.everything).toMatchObject({ exitCode });
    expect(reached()).toBe(1);
  },
);

test("config tells that CA certificates of a found file withhold a token of yours only from a server that needs them", async () => {
  const workingFolder = folderWith({ ".referralrc": { caCert: "ca.pem" } });
  const credentialsOf = async (baseUrl: string) => {
    const args = ["config", "--json", "--base-url", baseUrl];
    const { stdout } = await runInProcess(args, { workingFolder, environment: yours });
    return JSON.parse(stdout).credentials;
  };
  expect(await credentialsOf("https://127.0.0.1:1")).toMatchObject([{ mayTravel: false }]);
  expect(await credentialsOf("http://127.0.0.1:1")).toMatchObject([{ mayTravel: true, reason: null }]);
});

test("the token of a run does not reach a base URL or proxy that a line of --accounts sets", async () => {
  const { port, connections } = await canary(acceptance);
  const lines = ["baseUrl", "proxy"].map((key) => `{ "${key}": "http://127.0.0.1:${port}" }`);
  const run = await runInProcess(["test", "--accounts", "-", "--token", planted.token, "--json"], {
    environment: { ...yours, REFERRAL_BASE_URL: "https://127.0.0.1:1" },
    homeFolder: folderWith({ ".referralrc": { token: planted.token } }),
    stdin: lines.join("\n"),
  });
  expect(run, run.everything).toMatchObject({ exitCode: 3 });
  expect(run.stdout.split("because the line sets baseUrl or proxy")).toHaveLength(3);
  expect(connections()).toBe(0);
});

test.each([
  ["a credential of yours is sent as often as you say", {}, { ...yours, REFERRAL_RETRY: "2" }, 3],
  ["its own credential is sent to its own base URL, as often as it says", { token: planted.token }, {}, 5],
])("where a found rc file says `retry: 4`, %s", async (_, own, environment, requests) => {
  const api = await serveAlways(503, {});
  const [rc, args] = "token" in own ? [{ ...own, baseUrl: api.url }, []] : [{}, ["--base-url", api.url]];
  const workingFolder = folderWith({ ".referralrc": { retry: 4, ...rc } });
  expect(await runInProcess(["test", ...args], { workingFolder, environment, waits: [] })).toMatchObject({
    exitCode: 5,
    stderr: expect.stringMatching(/^(?:token: attempt \d ended as unavailable; trying again in .* s\n)+$/),
  });
  expect(api.requests).toHaveLength(requests);
});

/** A checkout in the home folder, with this rc file and links. */
function checkout(rc: object): { readonly workingFolder: string; readonly homeFolder: string } {
  const secret = `${planted.token}\n`;
  const files = { id_ed25519: secret, "tree/token.txt": secret, "tree/sub/token.txt": secret };
  const homeFolder = folderWith({ ...files, "tree/.referralrc": rc });
  const workingFolder = join(homeFolder, "tree");
  const links = { linked: "../id_ed25519", folder: "..", inside: "sub/token.txt" };
  for (const [name, target] of Object.entries(links)) symlinkSync(target, join(workingFolder, name));
  execFileSync("mkfifo", [join(workingFolder, "fifo")]);
  return { workingFolder, homeFolder };
}

// test/settings/inputs.test.ts has the rule; these are the paths of a real file system.
describe.each(ways)("an rc file found in the working tree, %s,", (_, run) => {
  const outside = "outside its own folder";
  test.each([
    ["/etc/passwd", outside],
    ["../id_ed25519", outside],
    ["linked", outside],
    ["folder/id_ed25519", outside],
    ["~/id_ed25519", outside],
    ["fifo", "not a regular file"],
  ])("may not name %s: %s", async (path, message) => {
    const { port, connections } = await canary(acceptance);
    const baseUrl = `https://127.0.0.1:${port}`;
    for (const rc of [
      { tokenFile: path },
      { username: "me", secretFile: path },
      { token: "t", caCert: path },
    ]) {
      const refused = await run(["test"], checkout({ baseUrl, ...rc }));
      expect(refused, refused.everything).toMatchObject({ exitCode: 3, stdout: "" });
      expect(refused.stderr.replace(/\s+/g, " ")).toContain(message);
    }
    expect(connections()).toBe(0);
  });

  test.each(["token.txt", "sub/../token.txt", "inside"])(
    "may name %s, whose token goes to a base URL of yours alone",
    async (tokenFile) => {
      const { port, connections, received } = await canary(acceptance);
      const baseUrl = `http://127.0.0.1:${port}`;
      const given = checkout({ baseUrl, tokenFile });
      const refused = await run(["test"], given);
      expect(refused).toMatchObject({ exitCode: 3, stdout: "" });
      expect(refused.stderr.replace(/\s+/g, " ")).toMatch(/give --base-url yourself, or .* --config /);
      expect(connections()).toBe(0);

      const allowed = await run(["test", "--base-url", baseUrl], given);
      expect(allowed).toMatchObject({ exitCode: 0, stderr: "" });
      expect(received().toLowerCase()).toContain(`x-auth-token: ${planted.token}\r\n`);
    },
  );
});

describe.each(ways)("an exported token, %s,", (_, run) => {
  const exported = { REFERRAL_BASE_URL: "http://127.0.0.1:1", REFERRAL_TOKEN: "good" };

  // test/settings/precedence.test.ts has every pair of levels.
  test.each([
    [["--all"], {}, ["first", "second"]],
    [["--profile", "one"], {}, ["first"]],
    [[], { REFERRAL_PROFILE: "one" }, ["first"]],
  ])("is never checked in the place of a profile's own: %j %j", async (args, chosen, tokens) => {
    const api = await serveAlways();
    const rc = { baseUrl: api.url, profiles: { one: { token: "first" }, two: { token: "second" } } };
    const homeFolder = folderWith({ ".referralrc": rc });
    const result = await run(["test", ...args], { homeFolder, environment: { ...chosen, ...exported } });
    expect(result.exitCode, result.everything).toBe(0);
    expect(result.stderr).toMatch(/^(?:Warning: REFERRAL_BASE_URL is set and not used .*\n)+$/);
    expect(api.requests.map(({ headers }) => headers["x-auth-token"]).toSorted()).toEqual(tokens);
  });

  test.each(["test", "header --token"])("is not used by %s for a profile without one", async (command) => {
    const homeFolder = folderWith({ ".referralrc": { profiles: { empty: {} } } });
    const args = [...command.split(" "), "--profile", "empty"];
    const result = await run(args, { homeFolder, environment: exported });
    expect(result).toMatchObject({ exitCode: 3, stdout: "" });
    const [said, advice] = result.stderr.replace(/\s+/g, " ").split("try");
    expect(said).toContain(
      "No token is set; REFERRAL_TOKEN is set and not used, because a profile is chosen",
    );
    expect(advice).not.toContain("REFERRAL_TOKEN");
  });
});
