import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chownSync, cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Run } from "../../support/run.ts";
import { start } from "../recipes/machine.ts";

const repository = fileURLToPath(new URL("../../..", import.meta.url));

/** The base that the Dockerfile names. */
const base = "docker.io/library/node:24-slim";

type Texts = Readonly<Record<string, string>>;

/** What a run on a read-only root file system is given besides its command. */
interface GivenToImage {
  readonly environment?: Texts;
  /** Folders of this machine, by the path at which the container sees them, read-only. */
  readonly volumes?: Texts;
  /** The supplementary groups of the user, as `fsGroup` gives them. */
  readonly groups?: readonly number[];
}

/** The built image. */
export type Image = ReturnType<typeof buildImage>;

/** Runs a command and throws what it printed if it fails. */
function must(command: string, args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(command, args, { encoding: "utf8", maxBuffer: 1e8 });
  if (status !== 0) throw new Error(`${command} ${args.join(" ")} exited with ${status}\n${stdout}${stderr}`);
  return stdout.trim();
}

const machine = { folder: repository, environment: { PATH: process.env.PATH ?? "" } };
const run = ([command = "", ...args]: readonly string[]): Promise<Run> => start(machine, command, args);

/** A folder that looks like the official base, as far as the Dockerfile uses it: no registry of images is needed. */
function makeBase(folder: string): void {
  const packages = "base-files,ca-certificates,coreutils,dash,libc-bin,libstdc++6";
  const options = ["--quiet", "--variant=extract", "--mode=root", `--include=${packages}`];
  must("mmdebstrap", [...options, "bookworm", folder]);
  const inside = (...path: readonly string[]) => join(folder, ...path);
  for (const path of ["usr/local/bin", "usr/local/lib/node_modules", "home/node"])
    mkdirSync(inside(path), { recursive: true });
  chownSync(inside("home/node"), 1000, 1000);
  writeFileSync(inside("etc/passwd"), "root:x:0:0::/root:/bin/sh\nnode:x:1000:1000::/home/node:/bin/sh\n");
  writeFileSync(inside("etc/group"), "root:x:0:\nnode:x:1000:\n");
  cpSync(join(repository, "node_modules/node/bin/node"), inside("usr/local/bin/node"));
  const npm = inside("usr/local/lib/node_modules/npm");
  cpSync(join(must("npm", ["root", "--global"]), "npm"), npm, { recursive: true, dereference: true });
  symlinkSync("../lib/node_modules/npm/bin/npm-cli.js", inside("usr/local/bin/npm"));
}

/** Builds the image as the Dockerfile says, from a base made here. Needs root, buildah, mmdebstrap and unshare. */
export function buildImage() {
  const folder = mkdtempSync(join(tmpdir(), "referral-auth-image-"));
  const storage = [`--root=${folder}/storage`, `--runroot=${folder}/run`, "--storage-driver=vfs"];
  const buildah = (...args: readonly string[]): string => must("buildah", [...storage, ...args]);

  makeBase(join(folder, "base"));
  const path = "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
  const scratch = buildah("from", "scratch");
  buildah("add", "--quiet", scratch, join(folder, "base"), "/");
  buildah("config", "--env", path, scratch);
  buildah("commit", "--quiet", "--rm", scratch, base);

  const context = join(folder, "context");
  mkdirSync(context);
  cpSync(join(repository, ".dockerignore"), join(context, ".dockerignore"));
  must("npm", ["pack", "--ignore-scripts", "--pack-destination", context, repository]);
  const dockerfile = `--file=${join(repository, "Dockerfile")}`;
  buildah("bud", "--isolation=chroot", "--pull-never", "--tag=referral-auth", dockerfile, context);

  const container = buildah("from", "--pull-never", "localhost/referral-auth");
  /** Its files, on this machine. */
  const root = buildah("mount", container);
  /** What `docker inspect` shows below `Config`. */
  const config: { User: string; Entrypoint: readonly string[]; Env: readonly string[]; WorkingDir: string } =
    JSON.parse(buildah("inspect", container)).OCIv1.config;
  const pairs = (values: Texts): readonly string[] =>
    Object.entries(values).map(([name, value]) => `${name}=${value}`);
  const bare = ["env", "--ignore-environment", ...config.Env];
  const inMountsOf = (...lines: readonly string[]): readonly string[] => {
    const script = ["set -e", ...lines, `mount --rbind /dev ${join(root, "dev")}`, 'exec "$@"'].join("\n");
    return ["unshare", "--mount", "sh", "-c", script, "sh"];
  };
  return {
    config,
    root,
    /** Runs the entry point with these arguments, as `docker run` does. */
    run(args: readonly string[], environment: Texts = {}): Promise<Run> {
      const options = ["--isolation=chroot", ...pairs(environment).map((pair) => `--env=${pair}`)];
      return run(["buildah", ...storage, "run", ...options, container, "--", ...config.Entrypoint, ...args]);
    },
    /** Runs a command instead of the entry point, on a read-only root file system, as a pod does. */
    runReadOnly(command: readonly string[], given: GivenToImage = {}): Promise<Run> {
      const { environment = {}, volumes = {}, groups = [] } = given;
      const mounts = Object.entries(volumes).map(([inside, outside]) => {
        mkdirSync(join(root, inside), { recursive: true });
        return `mount --bind ${outside} ${join(root, inside)}`;
      });
      const readOnly = [`mount --rbind ${root} ${root}`, `mount -o remount,bind,ro ${root}`];
      const user = ["chroot", `--userspec=${config.User}`, `--groups=${groups.join(",")}`, root];
      const variables = pairs({ HOME: config.WorkingDir, ...environment });
      return run([...inMountsOf(...readOnly, ...mounts), ...user, ...bare, ...variables, ...command]);
    },
    /** Starts the entry point with these arguments, behind the words of another command. */
    serve(behind: readonly string[], args: readonly string[]) {
      const user = ["chroot", `--userspec=${config.User}`, root, ...bare, ...config.Entrypoint];
      const [command = "", ...words] = [...behind, ...inMountsOf(), ...user, ...args];
      const child = spawn(command, words, { stdio: ["ignore", "ignore", "pipe"] });
      const ended = once(child, "exit");
      let log = "";
      child.stderr.setEncoding("utf8").on("data", (text: string) => (log += text));
      return {
        /** What it wrote to standard error. */
        log: () => log,
        /** Ends it as `docker stop` does, and gives its exit code. */
        async stop(): Promise<number | null> {
          child.kill("SIGTERM");
          const [code] = await ended;
          return code;
        },
      };
    },
    /** Removes the image. */
    stop(): void {
      buildah("rm", "--all");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Two machines in a network of their own. A command runs on one of them behind its words. */
export interface Network {
  readonly onServer: readonly string[];
  readonly onClient: readonly string[];
  /** The address of the server. */
  readonly address: string;
  remove(): void;
}

/** Makes two network namespaces with a link between them. The client knows the server by this name. Needs root and iproute2. */
export function networkOf(name: string): Network {
  const [server, client] = [`server-${process.pid}`, `client-${process.pid}`];
  const ip = (...words: readonly string[]): void => void execFileSync("ip", words);
  // RFC 5737: these addresses are for documentation.
  const addresses = { [server]: "198.51.100.1", [client]: "198.51.100.2" };
  for (const machine of [server, client]) ip("netns", "add", machine);
  ip("link", "add", "veth0", "netns", server, "type", "veth", "peer", "name", "veth0", "netns", client);
  for (const [machine, address] of Object.entries(addresses)) {
    ip("-netns", machine, "address", "add", `${address}/24`, "dev", "veth0");
    for (const link of ["lo", "veth0"]) ip("-netns", machine, "link", "set", link, "up");
  }
  // `ip netns exec` puts this file in the place of /etc/hosts.
  mkdirSync(`/etc/netns/${client}`, { recursive: true });
  writeFileSync(`/etc/netns/${client}/hosts`, `127.0.0.1 localhost\n${addresses[server]} ${name}\n`);
  const on = (machine: string): readonly string[] => ["ip", "netns", "exec", machine];
  return {
    onServer: on(server),
    onClient: on(client),
    address: addresses[server] ?? "",
    remove() {
      for (const machine of [server, client]) ip("netns", "delete", machine);
      rmSync(`/etc/netns/${client}`, { recursive: true });
    },
  };
}
