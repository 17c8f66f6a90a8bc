import { afterAll, describe, expect, test } from "vitest";
import { base, type Case, curlCommand, ourCommand, token } from "./cases.ts";
import { ipv4, ipv6, openNetwork, type Ran, to, type Wanted } from "./network.ts";
import { apiName, portOf } from "./services.ts";

type Timed = Pick<Case, "network" | "url" | "environment"> & {
  /** A limit in milliseconds, where curl waits much longer than a turn of 250 ms for each address. */
  readonly most?: number;
};

const answersWith = (addresses: readonly string[], more: Wanted = {}): Timed => ({
  network: { zone: { [apiName]: { addresses } }, ...more },
});
const served = [ipv4(to.server)];
const through = (proxy: string, port: number): Pick<Case, "environment"> => ({
  environment: { HTTPS_PROXY: `http://${proxy}:${port}` },
});
const slowName = { zone: { [apiName]: { addresses: served, delayMs: 1_000 } } };

const cases: Readonly<Record<string, Timed>> = {
  "the server is near": answersWith(served),
  "the server is 300 ms away": answersWith([ipv4(to.far)]),
  "the server is 300 ms away, by IPv6 alone": answersWith([ipv6(to.far)]),
  "both families are 300 ms away": answersWith([ipv6(to.far), ipv4(to.far)]),
  "the first SYN is lost": answersWith([ipv4(to.losing)]),
  "the first SYN is lost, 300 ms away": answersWith([ipv4(to.losingFar)]),
  "no route for IPv6, IPv4 is far": answersWith([ipv6(to.server), ipv4(to.far)], { ipv6: "link" }),
  "no route for IPv6, and the first SYN is lost": answersWith([ipv6(to.server), ipv4(to.losing)], {
    ipv6: "link",
  }),
  "IPv6 is a black hole": answersWith([ipv6(to.blackHole), ...served]),
  "IPv6 is a black hole, IPv4 is far": answersWith([ipv6(to.blackHole), ipv4(to.far)]),
  "two addresses are black holes": {
    ...answersWith([ipv4(to.blackHole), ipv4(to.blackHole + 1), ...served]),
    most: 750,
  },
  "three addresses refuse": { ...answersWith([ipv4(30), ipv4(31), ipv4(32), ...served]), most: 100 },
  "eight addresses, two of them black holes": {
    ...answersWith([
      ...[ipv6(to.blackHole), ipv6(11), ipv6(12), ipv6(13)],
      ...[ipv4(to.blackHole), ipv4(11), ipv4(12), ipv4(13)],
    ]),
    most: 750,
  },
  "the first name server is dead": answersWith(served, {
    nameservers: [ipv4(to.blackHole), "127.0.0.1"],
    options: "timeout:1",
  }),
  "the first query of DNS is lost": answersWith(served, {
    nameservers: [ipv4(to.losing)],
    options: "timeout:1",
  }),
  "the name server is 300 ms away": answersWith(served, { nameservers: [ipv4(to.far)] }),
  "the lookup takes a second": { network: slowName },
  "the proxy takes 1.2 s": { ...answersWith(served), ...through(ipv4(to.server), portOf.slowProxy) },
  "the proxy is 300 ms away": through(ipv4(to.far), portOf.proxy),
  "the answer takes 1.2 s, from 300 ms away": { ...answersWith([ipv4(to.far)]), url: base(portOf.late) },
};

/** A server that needs neither DNS nor any network: what a program takes there is its start-up. */
const nearest = "start-up.example.com";
/** Other work of the machine only adds time, so the shortest of some attempts counts. */
const mostAttempts = 5;

/** The shortest times of both programs, in milliseconds, less each one's start-up. `most`: the limit of ours, and measuring stops when that is kept. */
async function timesOf(timed: Timed): Promise<Readonly<Record<"curl" | "ours" | "most", number>>> {
  await using network = await openNetwork({ ...timed.network, hosts: `10.0.0.1 ${nearest}\n` });
  const shortest = { curl: [Infinity, Infinity], ours: [Infinity, Infinity] };
  const environment = { REFERRAL_TOKEN: token };
  const measure = async (program: keyof typeof shortest, index: 0 | 1): Promise<void> => {
    const wanted = { timeout: 6, ...(index === 0 ? { url: base(443, nearest) } : timed) };
    const command = program === "curl" ? curlCommand(network, wanted) : ourCommand(network, wanted);
    const ran: Ran = await network.run(command, { environment: { ...environment, ...wanted.environment } });
    expect(ran, program).toMatchObject({ exitCode: 0 });
    shortest[program][index] = Math.min(shortest[program][index] ?? Infinity, ran.ms);
  };
  const less = ([startUp = 0, whole = 0]: readonly number[]): number =>
    Math.max(0, Math.round(whole - startUp));
  for (let attempt = 1; ; attempt += 1) {
    for (const program of ["curl", "ours"] as const)
      for (const index of [0, 1] as const) await measure(program, index);
    const [curl, ours] = [less(shortest.curl), less(shortest.ours)];
    const most = Math.min(Math.round(1.2 * curl + 100), timed.most ?? Infinity);
    if (ours <= most || attempt === mostAttempts) return { curl, ours, most };
  }
}

describe.concurrent("both succeed, and the program takes about as long as curl", () => {
  const rows: string[] = [];
  afterAll(() => {
    const title = "| milliseconds | curl | ours | at most |\n|---|---|---|---|";
    process.stdout.write(`${[title, ...rows.sort()].join("\n")}\n`);
  });

  test.each(Object.entries(cases))("%s", async (name, timed) => {
    const { curl, ours, most } = await timesOf(timed);
    rows.push(`| ${name} | ${curl} | ${ours} | ${most} |`);
    expect(ours, `curl takes ${curl} ms`).toBeLessThanOrEqual(most);
  });
});
