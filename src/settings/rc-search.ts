// Lists where an rc file may lie. It opens no file.

import { isAbsolute, join, resolve } from "node:path";
// This file uses cosmiconfig only to list the places to search, and never lets it open a file. Its public entry point runs
// ./.config/config.js of the working directory when an explorer is made, and its loaders run what an rc file imports
// (`$import`). The version is pinned and bundled; test/threats/canaries.built.test.ts checks that no such code runs.
import { ExplorerBase } from "cosmiconfig/dist/ExplorerBase.js";

/** A path at which an rc file may lie, and the kind of place that it is. */
export interface RcPlace {
  readonly path: string;
  readonly place: "tree" | "home" | "configuration";
}

const treePlaces = [".referralrc", ".referralrc.json", ".referralrc.yaml", ".referralrc.yml"];
const configurationPlaces = ["config", "config.json", "config.yaml", "config.yml"];

/**
 * Where an rc file is looked for, in order: from the working directory upward to the home folder or the root, then the home folder, then
 * the user's configuration folder. `configuration` undefined asks the platform for that one (XDG, AppData, Library).
 */
export function rcCandidates(
  working: string | null,
  home: string | null,
  configuration: string | undefined,
): readonly RcPlace[] {
  const explorer = new ExplorerBase({
    moduleName: "referral",
    searchPlaces: treePlaces,
    stopDir: home ?? "/",
    cache: false,
    loaders: {
      default: () => {
        throw new Error("cosmiconfig loads nothing here");
      },
    },
  });
  const folders = working === null ? [] : [...explorer.getGlobalDirs(resolve(working))];
  const upward = folders.filter(({ isGlobalConfig }) => !isGlobalConfig).map(({ path }) => path);
  const tree = upward.flatMap((folder) => filesIn(folder, treePlaces, folder === home ? "home" : "tree"));
  if (home === null) return tree;
  const own = configuration ?? explorer.getGlobalConfigDir();
  return [
    ...tree,
    ...(upward.includes(home) ? [] : filesIn(home, treePlaces, "home")),
    // The XDG Base Directory Specification ignores relative paths. A relative path would let the working tree pass as yours.
    ...(isAbsolute(own) ? filesIn(own, configurationPlaces, "configuration") : []),
  ];
}

function filesIn(folder: string, names: readonly string[], place: RcPlace["place"]): readonly RcPlace[] {
  return names.map((name) => ({ path: join(folder, name), place }));
}
