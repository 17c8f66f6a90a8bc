import { isMap, isScalar, isSeq, LineCounter, type Node, parseAllDocuments, type YAMLMap } from "yaml";
import { InputError } from "../errors.ts";
import { commandText } from "./command.ts";
import { nearest } from "./nearest.ts";
import { accountSettingNames, definitionOf, type SettingName, settingNames } from "./table.ts";

/** One key of an rc file that sets something. */
export interface RcEntry {
  readonly setting: SettingName;
  readonly text: string;
  readonly key: string;
  readonly line: number;
  /** The value has no quotes and a comment follows it on its line: the `#` may belong to the value. */
  readonly commentFollows?: true;
}

/** The content of an rc file. */
export interface RcContent {
  readonly entries: readonly RcEntry[];
  readonly profiles: ReadonlyMap<string, readonly RcEntry[]>;
  readonly holdsSecret: boolean;
}

const settingOfKey = new Map(settingNames.map((name) => [definitionOf(name).key, name]));
const profilesKey = "profiles";
const schemaKey = "$schema";
const topLevelKeys = [...settingOfKey.keys(), profilesKey];
const accountKeys = accountSettingNames.map((name) => definitionOf(name).key);

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

/** The text of an rc file, and how to name its lines. */
interface RcText {
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
function rootOf({ text, lines, complain }: RcText, isJson: boolean): YAMLMap | null {
  const documents = parseAllDocuments(text, {
    lineCounter: lines,
    schema: isJson ? "json" : "core",
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

/** The items of a mapping. Aliases are refused as values: profiles inherit from the top level instead. */
function itemsOf(map: YAMLMap, { text, lines, complain }: RcText): readonly Item[] {
  const seen = new Set<string>();
  return map.items.map(({ key, value }): Item => {
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
  if (topLevelKeys.includes(name))
    return complain(line, `has the key ${name} in a profile`, "Write it at the top level of the file");
  const near = nearest(name, known);
  return complain(
    line,
    near !== null || isKeyLike(name) ? `has the unknown key ${name}` : "has an unknown key",
    near === null ? `Known keys: ${known.join(", ")}` : `Did you mean ${near}?`,
  );
}

function entryOf(
  { name, line, value, commentFollows }: Item,
  known: readonly string[],
  complain: Complain,
): RcEntry {
  const setting = settingOfKey.get(name);
  if (setting === undefined || !known.includes(name)) throw unknownKey(name, line, known, complain);
  if (definitionOf(setting).kind === "command") {
    const words = isSeq(value) ? value.items.map((item) => (isScalar(item) ? item.value : null)) : [];
    const isText = (word: unknown): word is string => typeof word === "string" && !word.includes("\0");
    if (!words[0] || !words.every(isText)) {
      throw complain(
        line,
        `sets ${name} to something that is not a list of words`,
        `Write a list: ${name}: [pass, show, "referral/token"]`,
      );
    }
    return { setting, text: commandText(words), key: name, line };
  }
  const content = isScalar(value) ? value.value : undefined;
  const isNumber = definitionOf(setting).kind === "number";
  if (typeof content !== (isNumber ? "number" : "string")) {
    const hint = isNumber ? `Write a plain number: ${name}: 10` : `Write it in quotes: ${name}: "…"`;
    throw complain(line, `sets ${name} to something that is not ${isNumber ? "a number" : "text"}`, hint);
  }
  const text = String(content);
  if (text === "")
    throw complain(line, `sets ${name} to an empty text`, `Give ${name} a value, or delete the line`);
  return { setting, text, key: name, line, ...(commentFollows && { commentFollows }) };
}

/**
 * Parses an rc file. Throws InputError for unknown and duplicate keys, values of another type, and anything that is not
 * UTF-8, JSON or YAML 1.2. The error names the file, line and key, but no value.
 */
export function parseRc(bytes: Uint8Array, path: string): RcContent {
  const complain: Complain = (line, problem, hint) =>
    new InputError(
      "settings",
      `The rc file ${path}${line === null ? "" : `, line ${line}`} ${problem}`,
      hint,
    );
  const lines = new LineCounter();
  const rcText: RcText = { text: decode(bytes, complain), lines, complain };
  const root = rootOf(rcText, path.endsWith(".json"));

  const entries: RcEntry[] = [];
  const profiles = new Map<string, readonly RcEntry[]>();
  for (const item of root === null ? [] : itemsOf(root, rcText)) {
    if (item.name === schemaKey) continue;
    if (item.name !== profilesKey) {
      entries.push(entryOf(item, topLevelKeys, complain));
      continue;
    }
    if (!isMap(item.value)) {
      throw complain(
        item.line,
        "sets profiles to something that is not a mapping",
        "Write a name and, below it, its keys",
      );
    }
    for (const { name, line, value } of itemsOf(item.value, rcText)) {
      if (!isMap(value) && !isEmpty(value)) {
        throw complain(line, "has a profile that is not a mapping", "Write its keys below its name");
      }
      const items = isMap(value) ? itemsOf(value, rcText) : [];
      profiles.set(
        name,
        items.map((one) => entryOf(one, accountKeys, complain)),
      );
    }
  }
  const all = [entries, ...profiles.values()].flat();
  return {
    entries,
    profiles,
    holdsSecret: all.some(({ setting }) => definitionOf(setting).kind === "secret"),
  };
}
