// Parses an rc file, JSON or YAML, as data alone. Its errors name file, line and key, and never a value.

import { Composer, CST, isMap, isScalar, isSeq, LineCounter, type Node, Parser, type YAMLMap } from "yaml";
import { type InputError, orNull, wrongSettings } from "../errors.ts";
import { didYouMean, isMisspelt } from "../options/nearest.ts";
import { unseenIn } from "../wsse/characters.ts";
import { isPlaceholder } from "../wsse/placeholders.ts";
import { commandText, type Level, levelOf, type SettingText } from "./levels.ts";
import { ifTrusted, type Source, type Trust } from "./source.ts";
import { definitionOf, keyOf, profileKeys, settingNames } from "./table.ts";

/** An rc file. */
export interface RcFile {
  readonly path: string;
  /** The path as messages name it. */
  readonly shown: string;
  readonly trust: Trust;
  /** What its top level sets. */
  readonly top: Level;
  /** What each profile sets itself. */
  readonly profiles: ReadonlyMap<string, Level>;
}

interface RcText {
  readonly file: string;
  readonly shown: string;
  readonly trust: Trust;
  readonly text: string;
  readonly lines: LineCounter;
}

interface Item {
  readonly source: Extract<Source, { kind: "rc" }>;
  readonly value: Node | null;
  readonly commentFollows: boolean;
}

const profilesKey = "profiles";
const topLevelKeys: readonly string[] = [...settingNames.map(keyOf), profilesKey];

/** The items of a mapping, none for null. Aliases are refused as values: profiles inherit from the top level instead. */
function itemsOf(map: YAMLMap | null, { file, shown, trust, text, lines }: RcText): readonly Item[] {
  const seen = new Set<string>();
  return (map?.items ?? []).map(({ key: node, value }): Item => {
    const { line } = lines.linePos((node as Node).range?.[0] ?? 0);
    const key = isScalar(node) ? node.value : undefined;
    const place = { file, shown, line };
    if (typeof key !== "string" || key === "")
      throw wrong(place, "has a key that is not text", "Write it in quotes");
    if (seen.has(key))
      throw wrong(place, `sets ${shownKey(key) ?? "the same key"} twice`, "Keep one of the two");
    seen.add(key);
    const end = isScalar(value) && value.type === "PLAIN" ? value.range?.[1] : undefined;
    return {
      source: { kind: "rc", ...place, key, trust },
      value: value as Node | null,
      commentFollows: end !== undefined && /^[ \t]+#/.test(text.slice(end, end + 100)),
    };
  });
}

/** A key that a message may show; null for one that may be a secret on the wrong side of a colon. */
const shownKey = (key: string, known: readonly string[] = topLevelKeys): string | null =>
  (key.length <= 12 && /^[a-z]+(?:[-_A-Z][a-z]+){0,2}$/.test(key)) || isMisspelt(key, known) ? key : null;

function unknownKey({ source }: Item, known: readonly string[]): InputError {
  const { key } = source;
  const unseen = unseenIn(key);
  if (unseen !== null) return wrong(source, `has a key that ${unseen.problem}`, unseen.hint);
  if (topLevelKeys.includes(key))
    return wrong(
      source,
      `has ${key} in a profile, and it belongs to the top level`,
      `Write ${key} at the top level, outside profiles`,
    );
  const shown = shownKey(key, known);
  const problem = shown === null ? "has an unknown key" : `has the unknown key ${shown}`;
  const near = shown === null ? "" : didYouMean(key, known);
  return wrong(source, problem, near || `Known keys: ${known.join(", ")}`);
}

function commandWordsOf({ source, value }: Item): readonly string[] {
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
  if (words[0] && words.every(isText) && !isPlaceholder(words[0])) return words;
  throw wrong(
    source,
    `sets ${key} to something that is not a list of words`,
    `Write a list: ${key}: [pass, show, "referral/token"]`,
  );
}

function scalarTextOf({ source, value }: Item, isNumber: boolean): string {
  const { key } = source;
  const content = isScalar(value) ? value.value : undefined;
  const wanted = isNumber ? "number" : "string";
  if (typeof content !== wanted || content === "")
    throw wrong(
      source,
      `sets ${key} to ${content === "" ? "an empty text" : `something that is not ${isNumber ? "a number" : "text"}`}`,
      isNumber ? `Write a plain number: ${key}: 10` : `Write one value in quotes: ${key}: "…"`,
    );
  return String(content);
}

/** Whether `null` is written there, which sets nothing. Nothing at all is an error: a value was forgotten, or a template left it out. */
const isNull = ({ value }: Item): boolean => isScalar(value) && value.value === null && value.source !== "";

/** What these items set; `known` are the keys that an error lists. */
function levelIn(items: readonly Item[], known: readonly string[]): Level {
  return levelOf(
    items.flatMap((item): readonly SettingText[] => {
      const { source, commentFollows } = item;
      const setting = settingNames.find((name) => keyOf(name) === source.key);
      if (setting === undefined || !known.includes(source.key)) throw unknownKey(item, known);
      if (isNull(item)) return [];
      const { kind } = definitionOf(setting);
      const text =
        kind === "command" ? commandText(commandWordsOf(item)) : scalarTextOf(item, kind === "number");
      return [{ setting, text, source, ...(commentFollows && { commentFollows }) }];
    }),
  );
}

function profilesIn({ source, value }: Item, rc: RcText): ReadonlyMap<string, Level> {
  const notMapping = (place: Item["source"], what: string): InputError =>
    wrong(place, `${what} that is not a mapping`, "Write a name below profiles and, below it, its keys");
  if (!isMap(value)) throw notMapping(source, "sets profiles to something");
  return new Map(
    itemsOf(value, rc).map(({ source, value }) => {
      if (!isMap(value) && !isEmpty(value)) throw notMapping(source, "has a profile");
      return [source.key, levelIn(itemsOf(isMap(value) ? value : null, rc), profileKeys.map(keyOf))];
    }),
  );
}

/**
 * Parses an rc file. Throws InputError for unknown and duplicate keys, values of another type, a command in a file that was
 * only found, and anything that is not UTF-8, JSON or YAML 1.2. The error names the file, line and key, but never a value.
 */
export function parseRc(bytes: Uint8Array, file: string, trust: Trust, shown: string = file): RcFile {
  const text = orNull(() => new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  if (text === null) throw wrong({ file }, "is not UTF-8 text", "Save it as UTF-8 text");
  const rc: RcText = { file, shown, trust, text, lines: new LineCounter() };
  const items = itemsOf(rootOf(rc), rc).filter(({ source }) => source.key !== "$schema");
  const profiles = items.find(({ source }) => source.key === profilesKey);
  const top = items.filter((item) => item !== profiles);
  return {
    path: file,
    shown,
    trust,
    top: levelIn(top, topLevelKeys),
    profiles: profiles === undefined || isNull(profiles) ? new Map() : profilesIn(profiles, rc),
  };
}

function wrong(
  place: { file: string; line?: number; col?: number },
  problem: string,
  hint: string,
): InputError {
  const { file, line, col } = place;
  const at = [file, line, col].filter((part) => part !== undefined).join(":");
  return wrongSettings(`The rc file ${at} ${problem}`, hint);
}

/** Whether a node of YAML is absent or null. */
const isEmpty = (node: unknown): boolean => node === null || (isScalar(node) && node.value === null);

// The composer calls itself for each level, so deep nesting would overflow the stack.
const maxDepth = 32;

/** The first collection that is nested too deep; null if none is. It looks no deeper itself. */
function tooDeep(token: CST.Token | null | undefined, levels = maxDepth): CST.Token | null {
  if (token?.type === "document") return tooDeep(token.value);
  if (!CST.isCollection(token)) return null;
  if (levels === 0) return token;
  for (const { key, value } of token.items) {
    const found = tooDeep(key, levels - 1) ?? tooDeep(value, levels - 1);
    if (found !== null) return found;
  }
  return null;
}

/** The parser's own message as far as it has the parser's own words: behind them it quotes the file. */
const ownWords = (message: string): string =>
  /^(?!Unknown directive)(?:[A-Za-z ,'[\]{}-]| :(?= )| \((?=the ))+/.exec(message)?.[0].trim() ||
  "a line that cannot be read";

/** The mapping at the root; null for an empty file. */
function rootOf({ file, text, lines }: RcText): YAMLMap | null {
  // The end of the file belongs to its last line.
  const at = (offset: number) => ({ file, ...lines.linePos(Math.min(offset, text.trimEnd().length)) });
  const malformed = (offset: number, message: string): InputError =>
    wrong(
      at(offset),
      `is not valid ${file.endsWith(".json") ? "JSON" : "JSON or YAML"}: ${ownWords(message)}`,
      'Write lines like baseUrl: "https://…"; put a value with other signs than letters and digits in single quotes',
    );
  const nested = (offset: number): InputError =>
    wrong(
      at(offset),
      `is nested more than ${maxDepth} levels deep`,
      "Write only profiles, their names and their keys",
    );
  const tokens: CST.Token[] = [];
  try {
    for (const token of new Parser(lines.addNewLine).parse(text)) {
      if (token.type === "error") throw malformed(token.offset, token.message);
      const deep = tooDeep(token);
      if (deep !== null) throw nested(deep.offset);
      tokens.push(token);
    }
  } catch (error) {
    // At the end of the text, the parser calls itself for each collection that is still open: thousands overflow the stack.
    throw error instanceof RangeError ? nested(text.length) : error;
  }
  if (tokens.filter(({ type }) => type === "document").length > 1)
    throw wrong({ file }, "holds several YAML documents", "Keep one document in it");
  const schema = file.endsWith(".json") ? "json" : "core";
  // The check of `uniqueKeys` compares every key with every other. `itemsOf` finds a key that stands twice in one pass.
  const composer = new Composer({ schema, uniqueKeys: false });
  let first: InputError | null = null;
  // Stop at the first problem: the composer keeps each, and 8 MiB of wrong escapes take 4 GB. It has no option for this, only a
  // private field; test/threats/hostile-texts.built.test.ts notices if it is renamed.
  const onError = (
    place: number | readonly [number, number] | CST.Token,
    _code: string,
    message: string,
  ): never => {
    const offset = typeof place === "number" ? place : "offset" in place ? place.offset : place[0];
    first ??= malformed(offset, message);
    throw first;
  };
  Object.assign(composer, { onError });
  const [document] = composer.compose(tokens, true, text.length);
  const root = document?.contents;
  if (isMap(root)) return root;
  if (isEmpty(root ?? null)) return null;
  throw wrong(
    at(text.search(/\S/)),
    "is not a mapping of keys to values",
    'Write JSON or YAML, with lines like baseUrl: "https://…"',
  );
}
