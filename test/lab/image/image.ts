import { spawnSync } from "node:child_process";
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

/** The built image. */
export type Image = ReturnType<typeof buildImage>;

/** Runs a command and throws what it printed if it fails. */
function must(command: string, args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(command, args, { encoding: "utf8", maxBuffer: 1e8 });
  if (status !== 0) throw new Error(`${command} ${args.join(" ")} exited with ${status}\n${stdout}${stderr}`);
  return stdout.trim();
}

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
  // What has the name of the compose file's service is this machine.
  writeFileSync(join(root, "etc/hosts"), "127.0.0.1 localhost referral-api\n");
  /** What `docker inspect` shows below `Config`. */
  const config: { User: string; Entrypoint: readonly string[]; Env: readonly string[]; WorkingDir: string } =
    JSON.parse(buildah("inspect", container)).OCIv1.config;
  return {
    config,
    root,
    /**
     * Runs a command on a file system that is read-only but for /tmp, as a pod does. The container sees this folder of the machine, if
     * there is one, at its path, and its user is in the group 2000, as `fsGroup` gives it.
     */
    run(
      command: readonly string[],
      environment: Texts = {},
      mounted?: { readonly folder: string; readonly path: string },
    ): Promise<Run> {
      if (mounted) mkdirSync(join(root, mounted.path), { recursive: true });
      const lines = [
        "set -e",
        `mount --rbind ${root} ${root}`,
        `mount -o remount,bind,ro ${root}`,
        ...(mounted ? [`mount --bind ${mounted.folder} ${join(root, mounted.path)}`] : []),
        `mount --bind $(mktemp --directory) ${join(root, "tmp")}`,
        `chmod 1777 ${join(root, "tmp")}`,
        `mount --rbind /dev ${join(root, "dev")}`,
        'exec "$@"',
      ];
      const user = ["chroot", `--userspec=${config.User}`, "--groups=2000", root];
      const variables = Object.entries({ HOME: config.WorkingDir, ...environment });
      const given = [
        "env",
        "--ignore-environment",
        ...config.Env,
        ...variables.map((pair) => pair.join("=")),
      ];
      const machine = { folder, environment: { PATH: process.env.PATH ?? "", TMPDIR: folder } };
      const args = ["--mount", "sh", "-c", lines.join("\n"), "sh", ...user, ...given, ...command];
      return start(machine, "unshare", args);
    },
    /** Removes the image. */
    stop(): void {
      buildah("rm", "--all");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
