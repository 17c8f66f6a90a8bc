import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { textOfCases } from "../../support/texts.ts";
import { ipv4, ipv6, lingers, openNetwork, to, type Wanted } from "./network.ts";
import { base, checksOf, curlCommand, ourCommand, token } from "./programs.ts";
import { apiName, portOf } from "./services.ts";

/** One network, and what is tried in it. */
interface Case {
  readonly network: Wanted;
  readonly url?: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly node?: string;
}

/** The command of the oldest line of Node. */
const script = fileURLToPath(new URL("../../../scripts/nodes.js", import.meta.url));
const node20 = join(`${execFileSync(process.execPath, [script, "20"])}`.trim(), "node");

const zoneOf = (...addresses: readonly string[]) => ({ [apiName]: { addresses } });
const at = (...addresses: readonly string[]): Case => ({ network: { zone: zoneOf(...addresses) } });
const served = zoneOf(ipv4(to.server));
const dead: Case = { network: { nameservers: [ipv4(to.blackHole)] } };
const trusted: Case = { network: { zone: served, bundle: "/etc/ssl/certs/ca-certificates.crt" } };
const proxied = (host: string) => ({ HTTPS_PROXY: `http://${host}:${portOf.proxy}` });

// What is read off a connection has no case here where loopback can show it: test/http and test/faults have those.
const cases: Readonly<Record<string, Case>> = {
  "a first SYN is lost, and the other address leads nowhere": at(ipv4(to.losing), ipv4(to.blackHole)),
  // Had each its time to connect, they would take longer than the deadline.
  "three of four addresses lead nowhere": at(
    ...[ipv6(to.blackHole), ipv6(to.blackHole + 1), ipv4(to.blackHole), ipv4(to.server)],
  ),
  "the first name server is dead": {
    network: { zone: served, nameservers: [ipv4(to.blackHole), "127.0.0.1"], options: "timeout:1" },
  },
  "IPv6 is a black hole, IPv4 refuses": at(ipv6(to.blackHole), ipv4(to.refusing)),
  "a route without a way": at(ipv4(to.unreachable)),
  "a DNS filter": at("0.0.0.0", "::0"),
  "only IPv6 addresses, and no IPv6 here": { network: { zone: zoneOf(ipv6(to.server)), ipv6: "none" } },
  "no such name": { network: {} },
  "DNS fails": { network: { zone: { [apiName]: { fails: "SERVFAIL" } }, options: "timeout:1 attempts:1" } },
  "DNS is dead": dead,
  "the lookup takes most of the deadline, and then the server is slow": {
    network: { zone: { [apiName]: { addresses: [ipv4(to.server)], delayMs: 2_000 } } },
    url: base(portOf.slow),
  },
  "the proxy is a black hole": { network: { zone: served }, environment: proxied(ipv4(to.blackHole)) },
  // It is large today; that of this curl is not.
  "a ClientHello of more than 1,400 bytes is lost": at(ipv4(to.narrow)),
  "the system trusts the CA, on Node 20": { ...trusted, node: node20 },
  "SSL_CERT_FILE names the CA, on Node 20": {
    network: { zone: served, bundle: "/etc/issue" },
    environment: { SSL_CERT_FILE: "/etc/issue" },
    node: node20,
  },
};

const timeout = 3;
/** Half of the deadline: of a step that took longer, the text says so. */
const longMs = timeout * 500;

/** Runs both programs at the same time in one network. Gives what they did, and the program's findings by their ids. */
async function toldOf({ network: wanted, url = base(), environment, node }: Case): Promise<string> {
  await using network = await openNetwork(wanted);
  const given = { REFERRAL_TOKEN: token, ...environment };
  const [curl, ours] = await Promise.all([
    network.run(curlCommand(network, url, timeout), given),
    network.run(ourCommand(network, timeout, ["--base-url", url], node), given),
  ]);
  expect(lingers(ours), ours.stdout).toBe(false);
  const [{ outcome, failure, connection, findings }] = checksOf(ours) as [ReturnType<typeof checksOf>[0]];
  const { address, port, proxy, tried } = connection;
  const steps = Object.entries(connection.steps).flatMap(([step, ms]) =>
    ms === null ? [] : `${step}${ms > longMs ? " (long)" : ""}`,
  );
  const lines = [
    `curl ${curl.exitCode === 0 ? "gets there" : "fails"} | ${ours.exitCode} ${outcome}`,
    `  ${address} port ${port}${proxy === null ? "" : ` for ${proxy}`} | steps ${steps.join(", ")}`,
    ...tried.map((one) => `  tried ${one.address}: ${one.code ?? "no answer"}`),
    ...(failure === null ? [] : [`  failed at ${failure.step} with ${failure.code}`]),
    ...findings.map(({ id, certainty }) => `  ${certainty} ${id}`),
  ];
  return lines.join("\n");
}

// The text is changed with `npx vitest run --mode network --update`, and read as a diff.
test("what curl and the program do in each network is the text beside this test", async () => {
  const said: (readonly [string, string])[] = [];
  const waiting = Object.entries(cases);
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift())
      said.push([next[0], await toldOf(next[1])]);
  };
  await Promise.all(Array.from({ length: 4 }, work));
  const titles = Object.keys(cases);
  const inOrder = said.toSorted(([one], [other]) => titles.indexOf(one) - titles.indexOf(other));
  await expect(textOfCases(inOrder)).toMatchFileSnapshot("texts/reach.txt");
}, 180_000);
