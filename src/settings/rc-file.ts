import { dirname, join, resolve } from "node:path";
import { InputError, wrongSettings } from "../errors.ts";
import type { Context } from "../system/context.ts";
import { describeFileProblem, FileProblem, type OpenedFile } from "../system/file-reading.ts";
import { configurationTrust, homeTrust } from "./folder-trust.ts";
import { secretTexts } from "./levels.ts";
import { absolutePath } from "./named-file.ts";
import type { RcFile } from "./rc-parse.ts";
import type { Candidate } from "./rc-search.ts";
import type { Trust } from "./source.ts";
import { extraVariables } from "./table.ts";

// Any checkout may contain a found file, and each of its bytes can cost some 500 bytes of memory.
const maxKibibytes: Readonly<Record<Trust, number>> = { found: 256, yours: 8 * 1024 };

function read(path: string, trust: Trust, namedBy: string | null, context: Context): OpenedFile {
  try {
    return context.readFile(path, maxKibibytes[trust] * 1024);
  } catch (error) {
    if (!(error instanceof FileProblem)) throw error;
    if (error.code === "TOO_LARGE")
      throw wrongSettings(
        `The rc file ${path} is too large: it has more than ${maxKibibytes[trust]} KiB`,
        trust === "yours"
          ? "Give many accounts with --accounts"
          : `If you trust it, name it with --config ${path}; otherwise use --no-config`,
      );
    // A path that does not exist may be a secret in the wrong place, unless it ends like the name of an rc file.
    const subject =
      namedBy === null || context.fileExists(path) || /\.(?:json|ya?ml|referralrc)$/.test(path)
        ? `The rc file ${path}`
        : `The rc file that ${namedBy} names`;
    throw wrongSettings(
      `${subject} ${describeFileProblem(error)}`,
      "Check the path and its permissions, name another file with --config, or use --no-config",
    );
  }
}

/** Whether others can read a file. Kubernetes mounts a Secret as files of root that the pod's group may read (`fsGroup`). */
export function isOpenToOthers({ mode, owner }: Pick<OpenedFile, "mode" | "owner">): boolean {
  const forbidden = owner === 0 ? 0o004 : 0o044;
  return mode !== null && (mode & forbidden) !== 0;
}

/** Whether every user of the machine can write to a file. */
export function isWritableByAll({ mode }: Pick<OpenedFile, "mode">): boolean {
  return mode !== null && (mode & 0o002) !== 0;
}

function checkOwner(path: string, file: OpenedFile, userId: number | null, isNamed: boolean): void {
  const ownedByOther = file.owner !== null && userId !== null && file.owner !== userId && file.owner !== 0;
  if (ownedByOther && !isNamed) {
    throw wrongSettings(
      `The rc file ${path} belongs to another user (id ${file.owner})`,
      `If you trust it, name it with --config ${path}; otherwise use --no-config`,
    );
  }
  if (isWritableByAll(file)) {
    throw wrongSettings(
      `Every user of this machine can write to the rc file ${path}`,
      `Remove that permission: chmod o-w ${path}`,
    );
  }
}

/**
 * Reads and checks one rc file: regular, not too large, the user's own unless a flag or variable names it (`namedBy`), and not
 * readable by others if it holds a secret. Rejects with InputError, which names the file, line and key, but no content of it.
 */
async function readRcFile(
  path: string,
  trust: Trust,
  namedBy: string | null,
  context: Context,
): Promise<RcFile> {
  const file = read(path, trust, namedBy, context);
  checkOwner(path, file, context.userId, namedBy !== null);
  // Load the YAML parser only if there is a file.
  const { parseRc } = await import("./rc-parse.ts");
  const rc = parseRc(file.bytes, path, trust);
  if (isOpenToOthers(file) && secretTexts([rc.top, ...rc.profiles.values()]).length > 0) {
    throw wrongSettings(
      `The rc file ${path} holds a secret and other users can read it`,
      `Close it to others: chmod 600 ${path}`,
    );
  }
  return rc;
}

// Folders are compared by name. A link, ".." or a slash at the end gives one folder several names.
function realFolder(folder: string | null, context: Context): string | null {
  if (folder === null) return null;
  try {
    return context.realPath(folder);
  } catch {
    return resolve(folder);
  }
}

function trustOfPlace({ path, place }: Candidate, home: string | null, context: Context): Trust {
  const facts = {
    home,
    registeredHome: () => realFolder(context.registeredHomeFolder(), context),
    holdsGit: (folder: string) => context.fileExists(join(folder, ".git")),
  };
  if (place === "home" && home !== null) return homeTrust(home, facts);
  const folder = realFolder(dirname(path), context);
  return place === "configuration" && folder !== null ? configurationTrust(folder, facts) : "found";
}

/**
 * The rc file in use: the one that `--config` or a variable names, or the first one found; null if there is none, or for
 * false. Rejects with InputError.
 */
export async function findRcFile(
  config: string | false | undefined,
  context: Context,
): Promise<RcFile | null> {
  if (config === false) return null;
  if (config === "")
    throw new InputError("usage", "--config is empty", "Write a path after it, or use --no-config");
  const named = config ?? context.environment[extraVariables.config];
  if (named) {
    const namedBy = config === undefined ? extraVariables.config : "--config";
    return readRcFile(absolutePath(named, context.workingFolder), "yours", namedBy, context);
  }
  const { rcCandidates } = await import("./rc-search.ts");
  const home = realFolder(context.homeFolder, context);
  const candidates = rcCandidates({
    working: realFolder(context.workingFolder, context),
    home,
    configuration: context.configurationFolder,
  });
  const found = candidates.find(({ path }) => context.fileExists(path));
  return found === undefined
    ? null
    : readRcFile(found.path, trustOfPlace(found, home, context), null, context);
}
