/** The part of cosmiconfig that its own declarations leave out (it is marked as internal there). */
declare module "cosmiconfig/dist/ExplorerBase.js" {
  interface Folder {
    readonly path: string;
    readonly isGlobalConfig: boolean;
  }

  export class ExplorerBase {
    constructor(options: {
      moduleName: string;
      searchPlaces: readonly string[];
      stopDir: string;
      cache: boolean;
      loaders: Readonly<Record<string, () => never>>;
    });
    getGlobalDirs(startDir: string): Iterable<Folder>;
    getSearchPlacesForDir(folder: Folder, globalConfigPlaces: readonly string[]): readonly string[];
    getGlobalConfigDir(): string;
  }
}
