/** The part of cosmiconfig that its own declarations leave out (it is marked as internal there). */
declare module "cosmiconfig/dist/ExplorerBase.js" {
  export class ExplorerBase {
    constructor(options: {
      moduleName: string;
      searchPlaces: readonly string[];
      stopDir: string;
      cache: boolean;
      loaders: Readonly<Record<string, () => never>>;
    });
    getGlobalDirs(startDir: string): Iterable<{ readonly path: string; readonly isGlobalConfig: boolean }>;
    getGlobalConfigDir(): string;
  }
}
