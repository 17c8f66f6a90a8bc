// Finds and opens the rc file, decides whether it is trusted, and refuses one that others can write to or read secrets from.

import { dirname, join, resolve } from "node:path";
import { orNull, wrongSettings } from "../errors.ts";
import type { Context } from "../system/context.ts";
import { ifUnreadable, type OpenedFile } from "../system/file-reading.ts";
import { absolutePath, accessOfOthers, howToClose } from "./files.ts";
import { secretTexts } from "./levels.ts";
import type { RcFile } from "./rc-parse.ts";
import type { RcPlace } from "./rc-search.ts";
import { ifTrusted, shortPath, type Trust } from "./source.ts";
import { extraVariables } from "./table.ts";

// Any checkout may contain a found file, and each of its bytes can cost the parser 1 KB of memory.
const most = {
  found: { bytes: 64 * 1024, inWords: "64 KiB" },
  yours: { bytes: 1024 * 1024, inWords: "1 MiB" },
} as const;

/**
 * Reads and checks one rc file: regular, not too large, the user's own unless named (`namedBy`), and closed to others if it holds a secret.
 * Rejects with InputError, which names the file, line and key, but no content of it.
 */
async function readRcFile(
  path: string,
  trust: Trust,
  namedBy: string | null,
  context: Context,
): Promise<RcFile> {
  const { readFile, fileExists, userId } = context;
  let file: OpenedFile;
  try {
    file = readFile(path, most[trust].bytes);
  } catch (error) {
    throw ifUnreadable(error, (what, code) => {
      if (code === "TOO_LARGE")
        return wrongSettings(
          `The rc file ${path} is too large: it has more than ${most[trust].inWords}`,
          trust === "yours" ? "Give many accounts with --accounts" : ifTrusted(path),
        );
      // A path that does not exist may be a secret in the wrong place, unless it ends like the name of an rc file.
      const isShown = namedBy === null || fileExists(path) || /\.(?:json|ya?ml|referralrc)$/.test(path);
      return wrongSettings(
        `The rc file ${isShown ? path : `that ${namedBy} names`} ${what}`,
        code === "NOT_REGULAR"
          ? "Write its content into a file of your own (mode 600), and name that file"
          : "Check the path and its permissions, name another file with --config, or use --no-config",
      );
    });
  }
  if (namedBy === null && userId !== null && ![null, 0, userId].includes(file.owner))
    throw wrongSettings(`The rc file ${path} belongs to another user (id ${file.owner})`, ifTrusted(path));
  const access = accessOfOthers(file, trust);
  if (access === "write to")
    throw wrongSettings(
      `Other users can write to the rc file ${path}`,
      howToClose(path, file.owner, "chmod go-w", context),
    );
  // Load the YAML parser only if there is a file.
  const { parseRc } = await import("./rc-parse.ts");
  const rc = parseRc(file.bytes, path, trust, shortPath(path, context));
  if (access === "read" && secretTexts([rc.top, ...rc.profiles.values()]).length > 0)
    throw wrongSettings(
      `The rc file ${path} holds a secret and other users can read it`,
      howToClose(path, file.owner, "chmod 600", context),
    );
  return rc;
}

// Folders are compared by name. A link, ".." or a slash at the end gives one folder several names.
const realFolder = (folder: string, { realPath }: Pick<Context, "realPath">): string =>
  orNull(() => realPath(folder)) ?? resolve(folder);

/** Whether no folder from this one upward holds `.git`. The search ends at a folder that is known to be yours. */
function isYours(folder: string, known: readonly string[], context: Pick<Context, "fileExists">): boolean {
  if (known.includes(folder)) return true;
  if (context.fileExists(join(folder, ".git"))) return false;
  const parent = dirname(folder);
  return parent === folder || isYours(parent, known, context);
}

/**
 * Decides by its place whether an rc file is yours. `home` is the home folder that the environment names. A checkout can set HOME and
 * XDG_CONFIG_HOME, so a home folder in a checkout is yours only if the password database names it too. Below a home folder, a folder with
 * `.git` is a checkout, except `.config`: people keep that one under version control.
 */
export function trustOfPlace(
  { path, place }: RcPlace,
  home: string | null,
  context: Pick<Context, "registeredHomeFolder" | "realPath" | "fileExists">,
): Trust {
  if (place === "tree") return "found";
  const registered = context.registeredHomeFolder();
  const realHome = registered && realFolder(registered, context);
  const isHomeYours = home !== null && (home === realHome || isYours(home, [], context));
  if (place === "home") return isHomeYours ? "yours" : "found";
  const homes = [realHome, isHomeYours ? home : null].filter((one) => one !== null);
  const known = homes.flatMap((one) => [one, join(one, ".config")]);
  return isYours(realFolder(dirname(path), context), known, context) ? "yours" : "found";
}

/** The rc file in use, or null. `onFound` gets its path before it is read. Rejects with InputError. */
export async function findRcFile(
  config: string | false | undefined,
  context: Context,
  onFound: (path: string) => void = () => {},
): Promise<RcFile | null> {
  if (config === false) return null;
  const named = config ?? context.environment[extraVariables.config];
  if (named) {
    const namedBy = config === undefined ? extraVariables.config : "--config";
    const path = absolutePath(named, context.workingFolder, namedBy);
    onFound(path);
    return readRcFile(path, "yours", namedBy, context);
  }
  const { found, home } = await rcSearch(context);
  if (found === undefined) return null;
  onFound(found.path);
  return readRcFile(found.path, trustOfPlace(found, home, context), null, context);
}

/** The rc files that the search finds, of which the first counts, and the folders that it looks into. */
async function rcSearch(context: Context) {
  const { rcCandidates } = await import("./rc-search.ts");
  const { homeFolder, workingFolder } = context;
  const home = homeFolder && realFolder(homeFolder, context);
  const working = workingFolder && realFolder(workingFolder, context);
  const candidates = rcCandidates(working, home, context.configurationFolder);
  const folders = [...new Set(candidates.map(({ path }) => dirname(path)))];
  return { home, found: candidates.find(({ path }) => context.fileExists(path)), folders };
}

/** The folders that are searched for an rc file; none if an option or a variable names the file, or `config` is false. */
export async function searchedFolders(
  { config }: { readonly config?: string | false | undefined },
  context: Context,
): Promise<readonly string[]> {
  const isSearched = config === undefined && !context.environment[extraVariables.config];
  return isSearched ? (await rcSearch(context)).folders : [];
}
