// Makes one network and lives as long as it: `unshare --net --mount node world.ts SETTING` (see network.ts).
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { serveDns, type Zone } from "./dns.ts";
import { authorityCertificate, startServices } from "./services.ts";

/** What one network is made of. */
export interface Setting {
  /** Where its files are: in `ca.pem`, the certificate of the servers' CA. */
  readonly folder: string;
  readonly zone: Zone;
  readonly ipv4: boolean;
  /** `link`: only the address that every interface has, and so no route to elsewhere. */
  readonly ipv6: "global" | "link" | "none";
  /** The addresses of the name servers; one that works is at 127.0.0.1. */
  readonly nameservers: readonly string[];
  /** Options of resolv.conf. */
  readonly options: string;
  /** Lines of the hosts file. */
  readonly hosts: string;
  /** A file of this machine that is replaced by the certificate of the servers' CA, which no option names then. */
  readonly bundle: string | null;
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
  `addr add ${prefix}30/${bits} dev lo nodad`,
  `route add unreachable ${prefix}40/${bits}`,
];

async function make({ folder, zone, ipv4, ipv6, bundle, ...more }: Setting): Promise<void> {
  const contents: Readonly<Record<string, string>> = {
    "/etc/resolv.conf": `${more.nameservers.map((server) => `nameserver ${server}\n`).join("")}options ${more.options}\n`,
    "/etc/hosts": `127.0.0.1 localhost\n::1 localhost\n${more.hosts}`,
    "/etc/nsswitch.conf": "passwd: files\ngroup: files\nhosts: files dns\n",
    ...(bundle !== null && { [bundle]: authorityCertificate }),
  };
  writeFileSync(join(folder, "ca.pem"), authorityCertificate);
  for (const [path, content] of Object.entries(contents)) {
    const file = join(folder, path.replaceAll("/", "-"));
    writeFileSync(file, content);
    run("mount", ["--bind", file, path]);
  }
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
