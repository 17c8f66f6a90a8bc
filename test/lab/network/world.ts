// Makes one network and lives as long as it: `unshare --net --mount node world.ts SETTING` (see network.ts).
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { serveDns, type Zone } from "./dns.ts";
import { authorityCertificate, startServices } from "./services.ts";

/** What one network is made of. */
export interface Setting {
  readonly zone: Zone;
  readonly ipv4: boolean;
  /** `link`: only the address that every interface has, and so no route to elsewhere. */
  readonly ipv6: "global" | "link" | "none";
  /** Files that replace those of the machine, by path. */
  readonly files: Record<string, string>;
  /** Where to write the certificate of the servers' CA. */
  readonly authority: string;
}

const run = (command: string, args: readonly string[], input = ""): unknown =>
  execFileSync(command, args, { input });

// It ends with this process, whose end closes its standard input.
async function startRelay(): Promise<void> {
  const relay = spawn("/usr/bin/python3", [fileURLToPath(new URL("./relay.py", import.meta.url))], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  relay.once("exit", (code) => process.exit(code ?? 1));
  await once(relay.stdout, "data");
}

/** The commands of `ip` for one family: a way to everywhere, addresses that refuse, one without a way. */
const family = (own: string, all: string, prefix: string, bits: number): readonly string[] => [
  `addr add ${own}/${bits} dev tun0 nodad`,
  `route add ${all} dev tun0`,
  ...[30, 31, 32, 33].map((last) => `addr add ${prefix}${last}/${bits} dev lo nodad`),
  `route add unreachable ${prefix}40/${bits}`,
  `route add prohibit ${prefix}41/${bits}`,
];

async function make({ zone, ipv4, ipv6, files, authority }: Setting): Promise<void> {
  writeFileSync(authority, authorityCertificate);
  for (const [target, source] of Object.entries(files)) run("mount", ["--bind", source, target]);
  await startRelay();
  // As in a container without IPv6.
  if (ipv6 === "none") writeFileSync("/proc/sys/net/ipv6/conf/all/disable_ipv6", "1");
  const [own4, own6] = ["10.0.0.1", "2001:db8:1::1"];
  const commands = [
    "link set lo up",
    "link set tun0 addrgenmode none",
    "link set tun0 up",
    ...(ipv4 ? family(own4, "0.0.0.0/0", "198.51.100.", 32) : []),
    ...(ipv6 === "global" ? family(own6, "::/0", "2001:db8::", 128) : []),
    ...(ipv6 === "link" ? ["addr add fe80::1/64 dev tun0 nodad"] : []),
  ];
  run("ip", ["-batch", "-"], commands.join("\n"));
  await serveDns(zone);
  await Promise.all([ipv4 ? startServices(own4) : null, ipv6 === "global" ? startServices(own6) : null]);
}

process.stdin.resume().once("end", () => process.exit());
await make(JSON.parse(process.argv[2] ?? ""));
process.stdout.write("ready\n");
