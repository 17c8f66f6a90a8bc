import { isAbsolute, resolve } from "node:path";
// This file uses cosmiconfig only to list the places to search, and never lets it open a file. Its public entry point runs
// ./.config/config.js of the working directory when an explorer is made, and its loaders run what an rc file imports
// (`$import`). The version is pinned and bundled; test/threats/canaries.test.ts checks that no such code runs.
import { ExplorerBase } from "cosmiconfig/dist/ExplorerBase.js";

/** A path at which an rc file may lie, and the kind of place that it is. */
export interface Candidate {
  readonly path: string;
  readonly place: "tree" | "home" | "configuration";
}

/** The folders that decide where to look: absolute, or null if there is none. */
export interface SearchFolders {
  readonly working: string | null;
  readonly home: string | null;
  /** The user's configuration folder for this tool; undefined asks the platform (XDG, AppData, Library). */
  readonly configuration?: string | undefined;
}

const moduleName = "referral";
const treePlaces = [".referralrc", ".referralrc.json", ".referralrc.yaml", ".referralrc.yml"];
const configurationPlaces = ["config", "config.json", "config.yaml", "config.yml"];

class Explorer extends ExplorerBase {
  constructor(stopDir: string) {
    const unused = (): never => {
      throw new Error("cosmiconfig loads nothing here");
    };
    super({
      moduleName,
      searchPlaces: treePlaces,
      stopDir,
      cache: false,
      loaders: { noExt: unused, ".json": unused, ".yaml": unused, ".yml": unused },
    });
  }
}

/**
 * Where an rc file is looked for, in order: from the working directory upward to the home folder or the root, then
 * the home folder, then the user's configuration folder.
 */
export function rcCandidates({ working, home, configuration }: SearchFolders): readonly Candidate[] {
  const explorer = new Explorer(home ?? "/");
  const candidates: Candidate[] = [];
  const add = (folder: string, names: readonly string[], place: Candidate["place"]): void => {
    const isGlobalConfig = place === "configuration";
    for (const path of explorer.getSearchPlacesForDir({ path: folder, isGlobalConfig }, names)) {
      if (!candidates.some((candidate) => candidate.path === path)) candidates.push({ path, place });
    }
  };
  const folders = working === null ? [] : [...explorer.getGlobalDirs(resolve(working))];
  for (const folder of folders.filter((folder) => !folder.isGlobalConfig))
    add(folder.path, treePlaces, folder.path === home ? "home" : "tree");
  if (home === null) return candidates;
  add(home, treePlaces, "home");
  const own = configuration ?? explorer.getGlobalConfigDir();
  // The XDG Base Directory Specification ignores relative paths. A relative path would let the working tree pass as yours.
  if (isAbsolute(own)) add(own, configurationPlaces, "configuration");
  return candidates;
}
