import { isMap, isScalar, isSeq, type Node, type YAMLMap } from "yaml";
import type { InputError } from "../errors.ts";
import { commandText } from "./command.ts";
import { type Level, levelOf, type SettingText } from "./levels.ts";
import { didYouMean } from "./nearest.ts";
import { isEmpty, type RcText, readDocument, wrong } from "./rc-document.ts";
import { ifTrusted, type Source, type Trust } from "./source.ts";
import { definitionOf, isSettingName, profileKeys, settingNames } from "./table.ts";

/** An rc file. */
export interface RcFile {
  readonly path: string;
  readonly trust: Trust;
  /** What its top level sets. */
  readonly top: Level;
  /** What each profile sets itself. */
  readonly profiles: ReadonlyMap<string, Level>;
}

type RcSource = Extract<Source, { kind: "rc" }>;

/** A value, and the place of its key. */
interface Item {
  readonly source: RcSource;
  readonly value: Node | null;
  readonly commentFollows: boolean;
}

const profilesKey = "profiles";
const topLevelKeys: readonly string[] = [...settingNames, profilesKey];

// A text of another form may be a secret on the wrong side of a colon, so it is not shown.
const isKeyLike = (key: string): boolean =>
  key.length <= 30 && /^[a-z]+(?:[A-Z][a-z]+|[-_][a-z]+)*$/.test(key);

/** The items of a mapping, none for null. Aliases are refused as values: profiles inherit from the top level instead. */
function itemsOf(map: YAMLMap | null, { file, trust, text, lines }: RcText): readonly Item[] {
  const seen = new Set<string>();
  return (map?.items ?? []).map(({ key: node, value }): Item => {
    const { line } = lines.linePos((node as Node).range?.[0] ?? 0);
    const key = isScalar(node) ? node.value : undefined;
    const place = { file, line };
    if (typeof key !== "string" || key === "")
      throw wrong(place, "has a key that is not text", "Write it in quotes");
    if (seen.has(key))
      throw wrong(place, `sets ${isKeyLike(key) ? key : "the same key"} twice`, "Keep one of the two");
    seen.add(key);
    const end = isScalar(value) && value.type === "PLAIN" ? value.range?.[1] : undefined;
    return {
      source: { kind: "rc", file, line, key, trust },
      value: value as Node | null,
      commentFollows: end !== undefined && /^[ \t]+#/.test(text.slice(end, end + 100)),
    };
  });
}

function unknownKey(source: RcSource, known: readonly string[]): InputError {
  const { key } = source;
  if (topLevelKeys.includes(key))
    return wrong(source, `has the key ${key} in a profile`, "Write it at the top level of the file");
  const problem = isKeyLike(key) ? `has the unknown key ${key}` : "has an unknown key";
  return wrong(source, problem, didYouMean(key, known) || `Known keys: ${known.join(", ")}`);
}

function wordsOf({ source, value }: Item): readonly string[] {
  const { key, file, trust } = source;
  if (trust === "found") {
    // A checkout must not run anything.
    throw wrong(
      source,
      `sets ${key}; an rc file found in the working tree may not name a command`,
      ifTrusted(file),
    );
  }
  const words = isSeq(value) ? value.items.map((item) => (isScalar(item) ? item.value : null)) : [];
  const isText = (word: unknown): word is string => typeof word === "string" && !word.includes("\0");
  if (words[0] && words.every(isText)) return words;
  throw wrong(
    source,
    `sets ${key} to something that is not a list of words`,
    `Write a list: ${key}: [pass, show, "referral/token"]`,
  );
}

function textOf({ source, value }: Item, isNumber: boolean): string {
  const { key } = source;
  const content = isScalar(value) ? value.value : undefined;
  if (typeof content !== (isNumber ? "number" : "string")) {
    const hint = isNumber ? `Write a plain number: ${key}: 10` : `Write it in quotes: ${key}: "…"`;
    throw wrong(source, `sets ${key} to something that is not ${isNumber ? "a number" : "text"}`, hint);
  }
  if (content === "")
    throw wrong(source, `sets ${key} to an empty text`, `Give ${key} a value, or delete the line`);
  return String(content);
}

// A key without a value is an error: it was forgotten, or a template filled in nothing.
const isNull = ({ value }: Item): boolean => isScalar(value) && value.value === null && value.source !== "";

/** What these items set; `known` are the keys that an error lists. */
function levelIn(items: readonly Item[], known: readonly string[]): Level {
  return levelOf(
    items.flatMap((item): readonly SettingText[] => {
      const { source, commentFollows } = item;
      const setting = source.key;
      if (!isSettingName(setting) || !known.includes(setting)) throw unknownKey(source, known);
      if (isNull(item)) return [];
      const { kind } = definitionOf(setting);
      const text = kind === "command" ? commandText(wordsOf(item)) : textOf(item, kind === "number");
      return [{ setting, text, source, ...(commentFollows && { commentFollows }) }];
    }),
  );
}

function profilesIn({ source, value }: Item, rc: RcText): ReadonlyMap<string, Level> {
  if (!isMap(value))
    throw wrong(
      source,
      "sets profiles to something that is not a mapping",
      "Write a name and, below it, its keys",
    );
  return new Map(
    itemsOf(value, rc).map(({ source, value }) => {
      if (!isMap(value) && !isEmpty(value))
        throw wrong(source, "has a profile that is not a mapping", "Write its keys below its name");
      return [source.key, levelIn(itemsOf(isMap(value) ? value : null, rc), profileKeys)];
    }),
  );
}

/**
 * Parses an rc file. Throws InputError for unknown and duplicate keys, values of another type, a command in a file that was
 * only found, and anything that is not UTF-8, JSON or YAML 1.2. The error names the file, line and key, but never a value.
 */
export function parseRc(bytes: Uint8Array, path: string, trust: Trust): RcFile {
  const { rc, root } = readDocument(bytes, { file: path, trust });
  const items = itemsOf(root, rc).filter(({ source }) => source.key !== "$schema");
  const profiles = items.find(({ source }) => source.key === profilesKey);
  const top = items.filter((item) => item !== profiles);
  return {
    path,
    trust,
    top: levelIn(top, topLevelKeys),
    profiles: profiles === undefined || isNull(profiles) ? new Map() : profilesIn(profiles, rc),
  };
}
