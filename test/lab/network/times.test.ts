import { describe, expect, test } from "vitest";
import { ipv4, ipv6, openNetwork, to, type Wanted } from "./network.ts";
import { base, curlCommand, ourCommand, token } from "./programs.ts";
import { apiName, portOf } from "./services.ts";

interface Timed {
  readonly network: Wanted;
  readonly proxy?: string;
  /** A limit in milliseconds, where curl waits much longer than a turn of 250 ms for each address. */
  readonly most?: number;
}

const answersWith = (addresses: readonly string[], more: Wanted = {}): Timed => ({
  network: { zone: { [apiName]: { addresses } }, ...more },
});
const served = [ipv4(to.server)];

const cases: Readonly<Record<string, Timed>> = {
  "the server is near": answersWith(served),
  "the server is 300 ms away": answersWith([ipv4(to.far)]),
  "both families are 300 ms away": answersWith([ipv6(to.far), ipv4(to.far)]),
  "the first SYN is lost": answersWith([ipv4(to.losing)]),
  "no route for IPv6, IPv4 is far": answersWith([ipv6(to.server), ipv4(to.far)], { ipv6: "link" }),
  "no route for IPv6, and the first SYN is lost": answersWith([ipv6(to.server), ipv4(to.losing)], {
    ipv6: "link",
  }),
  "IPv6 is a black hole, IPv4 is far": answersWith([ipv6(to.blackHole), ipv4(to.far)]),
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
  "the proxy takes 1.2 s": {
    ...answersWith(served),
    proxy: `http://${ipv4(to.server)}:${portOf.slowProxy}`,
  },
};

/** A server that needs neither DNS nor any network: what a program takes there is its start-up. */
const nearest = "start-up.example.com";
/** Other work of the machine only adds time, so the shortest of some attempts counts. */
const mostAttempts = 5;

/** The shortest times of both programs, in milliseconds, less each one's start-up. `most`: the limit of ours, and measuring stops when that is kept. */
async function timesOf(timed: Timed): Promise<Readonly<Record<"curl" | "ours" | "most", number>>> {
  await using network = await openNetwork({ ...timed.network, hosts: `10.0.0.1 ${nearest}\n` });
  const shortest = { curl: [Infinity, Infinity], ours: [Infinity, Infinity] };
  const measure = async (program: keyof typeof shortest, index: 0 | 1): Promise<void> => {
    const url = index === 0 ? base(443, nearest) : base();
    const command = {
      curl: () => curlCommand(network, url, 6),
      ours: () => ourCommand(network, 6, ["--base-url", url]),
    }[program]();
    const proxy = index === 1 && timed.proxy !== undefined && { HTTPS_PROXY: timed.proxy };
    const ran = await network.run(command, { REFERRAL_TOKEN: token, ...proxy });
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
  test.each(Object.entries(cases))("%s", async (_, timed) => {
    const { curl, ours, most } = await timesOf(timed);
    expect(ours, `curl takes ${curl} ms`).toBeLessThanOrEqual(most);
  });
});
