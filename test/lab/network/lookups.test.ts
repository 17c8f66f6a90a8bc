import { expect, test } from "vitest";
import { launcher } from "../../support/run.ts";
import { base, type Case, checksOf, curlCommand, ourCommand, sentencesOf, shell, token } from "./cases.ts";
import { type How, ipv4, type Network, nodeOf, openNetwork, type Ran, to, type Wanted } from "./network.ts";
import { portOf } from "./services.ts";

const server = { addresses: [ipv4(to.server)] };
const nameOf = (host: string): string => `${host}.example.com`;
const hosts = (prefix: string, count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => nameOf(`${prefix}${index}`));

/** The outcome of each account, by its host. */
const outcomesOf = (ran: Ran): Readonly<Record<string, string>> =>
  Object.fromEntries(checksOf(ran).map(({ profile, outcome }) => [profile, outcome]));

const all = (names: readonly string[], outcome: string) =>
  Object.fromEntries(names.map((name) => [name, outcome]));

/** Checks an account on each host, in this order; `within` runs the program. */
function checkAll(
  network: Network,
  names: readonly string[],
  {
    args = [],
    timeout = 3,
    port,
    within = [],
    host,
  }: Pick<Partial<Case>, "args" | "timeout" | "within"> & { port?: number; host?: string } = {},
): Promise<Ran> {
  const input = names
    .map((profile) => JSON.stringify({ profile, baseUrl: base(port, host ?? profile), token }))
    .join("\n");
  const options = ["--ca-cert", network.authority, "--json", "--accounts", "-", "--timeout", String(timeout)];
  return network.run([...within, nodeOf(undefined), launcher, "test", ...options, ...args], { input });
}

const deadZone: Wanted = {
  zone: { "*": server, ...Object.fromEntries(hosts("dead", 64).map((name) => [name, { fails: "silence" }])) },
};

test.concurrent("row 3: eight accounts on eight hosts, and the first name server is dead", async () => {
  const names = hosts("api", 8);
  await using network = await openNetwork({
    zone: { "*": server },
    nameservers: [ipv4(to.blackHole), "127.0.0.1"],
  });
  const [, ...rest] = names.map(
    (name) => curlCommand(network, { url: base(443, name), timeout: 8 }).at(-1) ?? "",
  );
  const [curl, ours] = await Promise.all([
    network.run([
      ...curlCommand(network, { url: base(443, names[0]), timeout: 8, curlArgs: ["--parallel"] }),
      ...rest,
    ]),
    checkAll(network, names, { timeout: 8 }),
  ]);
  expect(curl.exitCode).toBe(0);
  expect(outcomesOf(ours), `curl took ${curl.ms} ms, ours ${ours.ms} ms`).toEqual(all(names, "accepted"));
});

test.concurrent("row 3: two accounts of a dead zone cost four good ones nothing", async () => {
  const [dead, good] = [hosts("dead", 2), hosts("api", 4)];
  await using network = await openNetwork(deadZone);
  const ours = await checkAll(network, [...dead, ...good]);
  expect(outcomesOf(ours)).toEqual({ ...all(dead, "timeout"), ...all(good, "accepted") });
  expect(ours).toMatchObject({ exitCode: 8, lingeredMs: expect.toSatisfy((ms: number) => ms < 1_000) });
});

test.concurrent("row 3: 64 lookups that hang do not delay the one of another name", async () => {
  const [dead, good] = [hosts("dead", 64), hosts("api", 1)];
  await using network = await openNetwork(deadZone);
  const ours = await checkAll(network, [...dead, ...good], { args: ["--concurrency", "65"], timeout: 5 });
  expect(outcomesOf(ours)).toEqual({ ...all(dead, "timeout"), ...all(good, "accepted") });
  const check = checksOf(ours).find(({ profile }) => profile === good[0]);
  expect(check?.request.durationMs).toBeLessThan(2_500);
  expect(check?.connection?.steps.lookup).toBeLessThan(2_500);
});

test.concurrent("rule: nothing on this machine is blamed on the network: no file descriptor is left", async () => {
  await using network = await openNetwork();
  const ours = await checkAll(network, hosts("api", 40), {
    // An address: without a descriptor, the system's lookup may say that there is no such name.
    host: ipv4(to.server),
    port: portOf.late,
    within: shell('ulimit -n 40; exec "$@"'),
    args: ["--concurrency", "40"],
  });
  expect(ours.exitCode, ours.stdout + ours.stderr).toBe(7);
  const failed = checksOf(ours).filter(({ outcome }) => outcome !== "accepted");
  for (const check of failed) {
    expect(check).toMatchObject({ outcome: "unreachable", failure: { code: "EMFILE" } });
    const said = sentencesOf(JSON.stringify(check));
    expect(said).toMatch(/file descriptors|open files/);
    expect(said).not.toMatch(/firewall|the network|DNS/);
  }
});

test.concurrent.each([
  ["SIGINT", 130],
  ["SIGTERM", 143],
] as const)("row 2: %s ends the process with its code while a lookup hangs", async (name, exitCode) => {
  await using network = await openNetwork({ nameservers: [ipv4(to.blackHole)] });
  const how: How = { environment: { REFERRAL_TOKEN: token }, signal: { name, afterMs: 2_000 } };
  const ours = await network.run(ourCommand(network, { timeout: 30 }), how);
  expect(ours.exitCode, ours.stdout + ours.stderr).toBe(exitCode);
  expect(ours.sinceSignalMs).toBeLessThan(1_000);
  expect(JSON.parse(ours.stdout)).toMatchObject({ ok: false });
});

test.concurrent("row 2: a run over accounts ends, and its reports are whole, while lookups hang", async () => {
  const [dead, good] = [hosts("dead", 2), hosts("api", 2)];
  await using network = await openNetwork(deadZone);
  const ours = await checkAll(network, [...dead, ...good], {
    timeout: 1,
    args: ["--retry", "1", "--junit", "/dev/stderr"],
  });
  expect(outcomesOf(ours)).toEqual({ ...all(dead, "timeout"), ...all(good, "accepted") });
  expect(ours.stderr).toMatch(/<\/testsuites>\s*$/);
  expect(ours.lingeredMs).toBeLessThan(1_000);
});

test.concurrent("rule: it ends when it says so, and loses nothing that a slow reader has not read yet", async () => {
  const dead = hosts("dead", 64);
  const names = [...dead, ...dead, ...dead];
  await using network = await openNetwork(deadZone);
  const within = shell('set -o pipefail; "$@" | { sleep 3; cat; }');
  const ours = await checkAll(network, names, { within, timeout: 0.5, args: ["--concurrency", "64"] });
  expect(checksOf(ours).map(({ outcome }) => outcome)).toEqual(names.map(() => "timeout"));
  // What one write to a pipe takes.
  expect(ours.stdout.length).toBeGreaterThan(65_536);
  expect(ours.exitCode).toBe(8);
});
