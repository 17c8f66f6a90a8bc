import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chownSync, cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { start } from "../recipes/machine.ts";
import type { Run } from "../support/run.ts";

const repository = fileURLToPath(new URL("../..", import.meta.url));

/** The base that the Dockerfile names. */
const base = "docker.io/library/node:24-slim";

/** What a run of the image is given besides its arguments. */
interface GivenToImage {
  readonly environment?: Readonly<Record<string, string>>;
  /** Files and folders of this machine, by the path at which the container sees them, read-only. */
  readonly volumes?: Readonly<Record<string, string>>;
  /** The supplementary groups of the user, as `fsGroup` gives them. */
  readonly groups?: readonly number[];
}

/** The built image. `stop` removes it. */
export interface Image {
  /** What `docker inspect` shows below `Config`. */
  readonly config: {
    readonly User: string;
    readonly Entrypoint: readonly string[];
    readonly Env: readonly string[];
    readonly WorkingDir: string;
  };
  /** Its files, on this machine. */
  readonly root: string;
  /** Runs the entry point with these arguments, as `docker run` does. */
  run(args: readonly string[], given?: GivenToImage): Promise<Run>;
  /** Runs a command instead of the entry point, on a read-only root file system, as a pod does. */
  runReadOnly(command: readonly string[], given?: GivenToImage): Promise<Run>;
  /** Starts the entry point with these arguments, behind the words of another command. `stop` ends it as `docker stop` does. */
  serve(behind: readonly string[], args: readonly string[]): Service;
  stop(): void;
}

/** A container that runs until it is stopped. `log` is what it wrote to standard error. */
interface Service {
  log(): string;
  stop(): Promise<number | null>;
}

/** Runs a command and throws what it printed if it fails. */
function must(command: string, args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(command, args, { encoding: "utf8", maxBuffer: 1e8 });
  if (status !== 0) throw new Error(`${command} ${args.join(" ")} exited with ${status}\n${stdout}${stderr}`);
  return stdout.trim();
}

const machine = { folder: repository, environment: { PATH: process.env.PATH ?? "" } };
const run = (command: string, args: readonly string[]): Promise<Run> => start(machine, command, args);

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
export function buildImage(): Image {
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
  const root = buildah("mount", container);
  const { config } = JSON.parse(buildah("inspect", container)).OCIv1;
  const pairs = (values: Readonly<Record<string, string>>): readonly string[] =>
    Object.entries(values).map(([name, value]) => `${name}=${value}`);
  const bare = ["env", "--ignore-environment", ...config.Env];
  const inMountsOf = (script: string): readonly string[] => ["unshare", "--mount", "sh", "-c", script, "sh"];
  const devices = `mount --rbind /dev ${join(root, "dev")}`;
  return {
    config,
    root,
    run: (args, { environment = {}, volumes = {} } = {}) =>
      run("buildah", [
        ...storage,
        "run",
        "--isolation=chroot",
        ...pairs(environment).map((pair) => `--env=${pair}`),
        ...Object.entries(volumes).map(([inside, outside]) => `--volume=${outside}:${inside}:ro`),
        container,
        "--",
        ...config.Entrypoint,
        ...args,
      ]),
    runReadOnly: (command, { environment = {}, volumes = {}, groups = [] } = {}) => {
      const mounts = Object.entries(volumes).map(([inside, outside]) => {
        mkdirSync(join(root, inside), { recursive: true });
        return `mount --bind ${outside} ${join(root, inside)}`;
      });
      const script = [
        "set -e",
        `mount --rbind ${root} ${root}`,
        `mount -o remount,bind,ro ${root}`,
        ...mounts,
        devices,
        'exec "$@"',
      ].join("\n");
      const user = ["chroot", `--userspec=${config.User}`, `--groups=${groups.join(",")}`, root];
      const variables = { HOME: config.WorkingDir, ...environment };
      const [first = "", ...words] = [...inMountsOf(script), ...user, ...bare, ...pairs(variables)];
      return run(first, [...words, ...command]);
    },
    serve: (behind, args) => {
      const user = ["chroot", `--userspec=${config.User}`, root, ...bare, ...config.Entrypoint];
      const [command = "", ...words] = [
        ...behind,
        ...inMountsOf(`${devices} && exec "$@"`),
        ...user,
        ...args,
      ];
      const child = spawn(command, words, { stdio: ["ignore", "ignore", "pipe"] });
      const ended = once(child, "exit");
      let log = "";
      child.stderr.setEncoding("utf8").on("data", (text: string) => (log += text));
      return {
        log: () => log,
        async stop() {
          child.kill("SIGTERM");
          const [code] = await ended;
          return code;
        },
      };
    },
    stop: () => {
      buildah("rm", "--all");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
