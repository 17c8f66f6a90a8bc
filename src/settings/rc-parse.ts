import { isAlias, isMap, isScalar, LineCounter, type Node, parseAllDocuments, type YAMLMap } from "yaml";
import { Mistake } from "../mistake.ts";
import { nearest } from "../nearest.ts";
import { definitionOf, type SettingName, settingNames } from "./table.ts";

/** One key of an rc file that sets something. */
export interface RcEntry {
  readonly setting: SettingName;
  readonly text: string;
  readonly key: string;
  readonly line: number;
}

/** What an rc file says. */
export interface RcContent {
  readonly entries: readonly RcEntry[];
  readonly profiles: ReadonlyMap<string, readonly RcEntry[]>;
  readonly holdsSecret: boolean;
}

const settingOfKey = new Map(
  settingNames.flatMap((name) => {
    const { key } = definitionOf(name);
    return key === null ? [] : [[key, name] as const];
  }),
);
const profilesKey = "profiles";
const schemaKey = "$schema";
const topLevelKeys = [...settingOfKey.keys(), profilesKey];

/** Reads one file with its name and lines at hand, so that every message can name the place. */
class Reader {
  readonly #path: string;
  readonly #lines = new LineCounter();
  readonly #text: string;

  constructor(bytes: Uint8Array, path: string) {
    this.#path = path;
    try {
      this.#text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    } catch {
      throw this.mistake(null, "is not UTF-8 text", "Save it as UTF-8");
    }
  }

  mistake(line: number | null, problem: string, hint: string): Mistake {
    const place = line === null ? "" : `, line ${line}`;
    return new Mistake("settings", `The rc file ${this.#path}${place} ${problem}`, hint);
  }

  lineOf(node: Node | null | undefined): number {
    return this.#lines.linePos(node?.range?.[0] ?? 0).line;
  }

  /** The root as a mapping; null for a file that says nothing. The parser's own messages quote the file and are dropped. */
  root(): {
    readonly map: YAMLMap<Node, Node | null>;
    readonly follow: (node: Node | null) => Node | null;
  } | null {
    const [document, ...others] = parseAllDocuments(this.#text, {
      lineCounter: this.#lines,
      schema: this.#path.endsWith(".json") ? "json" : "core",
      strict: true,
      uniqueKeys: true,
      prettyErrors: false,
      logLevel: "silent",
    }) as ReturnType<typeof parseAllDocuments> & unknown[];
    if (document === undefined || !("contents" in document)) return null;
    if (others.length > 0)
      throw this.mistake(null, "holds several YAML documents", "Keep one document in it");
    const problem = document.errors[0] ?? document.warnings[0];
    if (problem !== undefined) {
      const { line } = this.#lines.linePos(problem.pos[0]);
      throw problem.code === "DUPLICATE_KEY"
        ? this.mistake(line, "sets the same key twice", "Keep one of the two")
        : this.mistake(line, "is not valid JSON or YAML", "Check the quotes, colons and indentation there");
    }
    const { contents } = document;
    if (contents === null || (isScalar(contents) && contents.value === null)) return null;
    if (!isMap(contents))
      throw this.mistake(1, "is not a mapping of keys to values", 'Write lines like "baseUrl: https://…"');
    const follow = (node: Node | null): Node | null =>
      isAlias(node) ? (node.resolve(document) ?? null) : node;
    return { map: contents as YAMLMap<Node, Node | null>, follow };
  }
}

function entryOf(reader: Reader, key: string, keyNode: Node, value: Node | null): RcEntry | null {
  const line = reader.lineOf(keyNode);
  const setting = settingOfKey.get(key);
  if (setting === undefined) {
    const near = nearest(key, topLevelKeys);
    // A key that resembles none may be a secret on the wrong side of a colon, so it is not shown.
    throw near === null
      ? reader.mistake(line, "has an unknown key", `Known keys: ${topLevelKeys.join(", ")}`)
      : reader.mistake(line, `has the unknown key ${key}`, `Did you mean ${near}?`);
  }
  const content = isScalar(value) ? value.value : undefined;
  const wanted = definitionOf(setting).kind === "number" ? "number" : "string";
  if (typeof content !== wanted) {
    const hint = wanted === "string" ? `Write it in quotes: ${key}: "…"` : `Write a plain number: ${key}: 10`;
    throw reader.mistake(
      line,
      `sets ${key} to something that is no ${wanted === "string" ? "text" : "number"}`,
      hint,
    );
  }
  const text = String(content);
  if (text === "")
    throw reader.mistake(line, `sets ${key} to an empty text`, `Give ${key} a value, or delete the line`);
  return { setting, text, key, line };
}

function entriesOf(
  reader: Reader,
  map: YAMLMap<Node, Node | null>,
  follow: (node: Node | null) => Node | null,
  other: (key: string, keyNode: Node, value: Node | null) => boolean,
): RcEntry[] {
  const entries: RcEntry[] = [];
  for (const { key: keyNode, value } of map.items) {
    const key = isScalar(keyNode) ? keyNode.value : undefined;
    if (typeof key !== "string") {
      throw reader.mistake(reader.lineOf(keyNode), "has a key that is no text", "Write keys as plain words");
    }
    const followed = follow(value);
    if (other(key, keyNode, followed)) continue;
    const entry = entryOf(reader, key, keyNode, followed);
    if (entry !== null) entries.push(entry);
  }
  return entries;
}

/**
 * What an rc file of these bytes sets. Data only, strictly: unknown and duplicate keys, values of another type and
 * anything that is not UTF-8, JSON or YAML 1.2 throw a Mistake that names file and line, never the content.
 */
export function parseRc(bytes: Uint8Array, path: string): RcContent {
  const reader = new Reader(bytes, path);
  const root = reader.root();
  if (root === null) return { entries: [], profiles: new Map(), holdsSecret: false };
  const profiles = new Map<string, readonly RcEntry[]>();

  const readProfiles = (node: Node | null, line: number): void => {
    if (!isMap(node))
      throw reader.mistake(
        line,
        "sets profiles to something that is no mapping",
        "Write a name and, below it, its keys",
      );
    for (const { key: nameNode, value } of (node as YAMLMap<Node, Node | null>).items) {
      const name = isScalar(nameNode) ? nameNode.value : undefined;
      if (typeof name !== "string" || name === "") {
        throw reader.mistake(
          reader.lineOf(nameNode),
          "has a profile whose name is no text",
          "Write the name in quotes",
        );
      }
      const profile = root.follow(value);
      if (profile !== null && !isMap(profile)) {
        throw reader.mistake(
          reader.lineOf(nameNode),
          "has a profile that is no mapping",
          "Write its keys below its name",
        );
      }
      profiles.set(
        name,
        profile === null
          ? []
          : entriesOf(reader, profile as YAMLMap<Node, Node | null>, root.follow, () => false),
      );
    }
  };
  const entries = entriesOf(reader, root.map, root.follow, (key, keyNode, value) => {
    if (key === profilesKey) readProfiles(value, reader.lineOf(keyNode));
    return key === profilesKey || key === schemaKey;
  });
  const all = [entries, ...profiles.values()].flat();
  return {
    entries,
    profiles,
    holdsSecret: all.some(({ setting }) => definitionOf(setting).kind === "secret"),
  };
}
