import { isMap, isScalar, isSeq, LineCounter, type Node, parseAllDocuments, type YAMLMap } from "yaml";
import { InputError } from "../errors.ts";
import { commandText } from "./command.ts";
import { type Level, levelOf, type SettingText } from "./levels.ts";
import { nearest } from "./nearest.ts";
import type { Trust } from "./source.ts";
import { definitionOf, isSettingName, settingNames } from "./table.ts";

/** An rc file. */
export interface RcFile {
  readonly path: string;
  readonly trust: Trust;
  /** What its top level sets. */
  readonly top: Level;
  /** What each profile sets itself. */
  readonly profiles: ReadonlyMap<string, Level>;
}

const profilesKey = "profiles";
const topLevelKeys = [...settingNames, profilesKey];

// A text of another form may be a secret on the wrong side of a colon, so it is not shown.
const isKeyLike = (name: string): boolean =>
  name.length <= 30 && /^[a-z]+(?:[A-Z][a-z]+|[-_][a-z]+)*$/.test(name);

/** A key with its value. */
interface Item {
  readonly name: string;
  readonly line: number;
  readonly value: Node | null;
  readonly commentFollows: boolean;
}

/** The text of an rc file, where it lies, and how to name its lines. */
interface RcText extends Pick<RcFile, "path" | "trust"> {
  readonly text: string;
  readonly lines: LineCounter;
  readonly complain: Complain;
}

/** Makes the InputError of a place in the file; null for the file as a whole. */
type Complain = (line: number | null, problem: string, hint: string) => InputError;

function decode(bytes: Uint8Array, complain: Complain): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw complain(null, "is not UTF-8 text", "Save it as UTF-8 text");
  }
}

const isEmpty = (node: unknown): boolean => node === null || (isScalar(node) && node.value === null);

/** The root of the only document; null for an empty file. The parser's own messages quote the file, so they are not shown. */
function rootOf({ path, text, lines, complain }: RcText): YAMLMap | null {
  const documents = parseAllDocuments(text, {
    lineCounter: lines,
    schema: path.endsWith(".json") ? "json" : "core",
    // Its own check compares every key with every other; `itemsOf` finds duplicates in one pass.
    uniqueKeys: false,
    prettyErrors: false,
    logLevel: "silent",
  });
  if (!Array.isArray(documents) || documents[0] === undefined) return null;
  if (documents.length > 1) throw complain(null, "holds several YAML documents", "Keep one document in it");
  const { contents, errors, warnings } = documents[0];
  const problem = errors[0] ?? warnings[0];
  if (problem !== undefined) {
    const { line } = lines.linePos(problem.pos[0]);
    throw complain(line, "is not valid JSON or YAML", "Check the quotes, colons and indentation there");
  }
  if (isEmpty(contents)) return null;
  if (!isMap(contents)) {
    throw complain(1, "is not a mapping of keys to values", 'Write lines like "baseUrl: https://…"');
  }
  return contents;
}

/** The items of a mapping, none for null. Aliases are refused as values: profiles inherit from the top level instead. */
function itemsOf(map: YAMLMap | null, { text, lines, complain }: RcText): readonly Item[] {
  const seen = new Set<string>();
  return (map?.items ?? []).map(({ key, value }): Item => {
    const line = lines.linePos((key as Node).range?.[0] ?? 0).line;
    const name = isScalar(key) ? key.value : undefined;
    if (typeof name !== "string" || name === "")
      throw complain(line, "has a key that is not text", "Write it in quotes");
    if (seen.has(name))
      throw complain(line, `sets ${isKeyLike(name) ? name : "the same key"} twice`, "Keep one of the two");
    seen.add(name);
    const end = isScalar(value) && value.type === "PLAIN" ? value.range?.[1] : undefined;
    const commentFollows = end !== undefined && /^[ \t]+#/.test(text.slice(end, end + 100));
    return { name, line, value: value as Node | null, commentFollows };
  });
}

function unknownKey(name: string, line: number, known: readonly string[], complain: Complain): InputError {
  if (name === profilesKey)
    return complain(line, `has the key ${name} in a profile`, "Write it at the top level of the file");
  const near = nearest(name, known);
  return complain(
    line,
    near !== null || isKeyLike(name) ? `has the unknown key ${name}` : "has an unknown key",
    near === null ? `Known keys: ${known.join(", ")}` : `Did you mean ${near}?`,
  );
}

function wordsOf({ name, line, value }: Item, { path, trust, complain }: RcText): readonly string[] {
  if (trust === "found") {
    // A checkout must not run anything.
    throw complain(
      line,
      `sets ${name}; an rc file found in the working tree may not name a command`,
      `If you trust it, name it with --config ${path}; otherwise use --no-config`,
    );
  }
  const words = isSeq(value) ? value.items.map((item) => (isScalar(item) ? item.value : null)) : [];
  const isText = (word: unknown): word is string => typeof word === "string" && !word.includes("\0");
  if (words[0] && words.every(isText)) return words;
  throw complain(
    line,
    `sets ${name} to something that is not a list of words`,
    `Write a list: ${name}: [pass, show, "referral/token"]`,
  );
}

function textOf({ name, line, value }: Item, isNumber: boolean, complain: Complain): string {
  const content = isScalar(value) ? value.value : undefined;
  if (typeof content !== (isNumber ? "number" : "string")) {
    const hint = isNumber ? `Write a plain number: ${name}: 10` : `Write it in quotes: ${name}: "…"`;
    throw complain(line, `sets ${name} to something that is not ${isNumber ? "a number" : "text"}`, hint);
  }
  if (content === "")
    throw complain(line, `sets ${name} to an empty text`, `Give ${name} a value, or delete the line`);
  return String(content);
}

/** What these items set; `known` are the keys that an error lists. */
function levelIn(items: readonly Item[], known: readonly string[], rc: RcText): Level {
  return levelOf(
    items.map((item): SettingText => {
      const { name, line, commentFollows } = item;
      if (!isSettingName(name)) throw unknownKey(name, line, known, rc.complain);
      const { kind } = definitionOf(name);
      return {
        setting: name,
        text:
          kind === "command" ? commandText(wordsOf(item, rc)) : textOf(item, kind === "number", rc.complain),
        source: { kind: "rc", file: rc.path, line, key: name, trust: rc.trust },
        ...(commentFollows && { commentFollows }),
      };
    }),
  );
}

/** What each profile sets. */
function profilesIn({ line, value }: Item, rc: RcText): ReadonlyMap<string, Level> {
  if (!isMap(value)) {
    throw rc.complain(
      line,
      "sets profiles to something that is not a mapping",
      "Write a name and, below it, its keys",
    );
  }
  return new Map(
    itemsOf(value, rc).map(({ name, line, value }) => {
      if (!isMap(value) && !isEmpty(value))
        throw rc.complain(line, "has a profile that is not a mapping", "Write its keys below its name");
      return [name, levelIn(itemsOf(isMap(value) ? value : null, rc), settingNames, rc)];
    }),
  );
}

/**
 * Parses an rc file. Throws InputError for unknown and duplicate keys, values of another type, a command in a file that was
 * only found, and anything that is not UTF-8, JSON or YAML 1.2. The error names the file, line and key, but never a value.
 */
export function parseRc(bytes: Uint8Array, path: string, trust: Trust): RcFile {
  const complain: Complain = (line, problem, hint) =>
    new InputError(
      "settings",
      `The rc file ${path}${line === null ? "" : `, line ${line}`} ${problem}`,
      hint,
    );
  const rc: RcText = { path, trust, text: decode(bytes, complain), lines: new LineCounter(), complain };
  const items = itemsOf(rootOf(rc), rc).filter(({ name }) => name !== "$schema");
  const profiles = items.find(({ name }) => name === profilesKey);
  return {
    path,
    trust,
    top: levelIn(
      items.filter((item) => item !== profiles),
      topLevelKeys,
      rc,
    ),
    profiles: profiles === undefined ? new Map() : profilesIn(profiles, rc),
  };
}
