// Parses an rc file, JSON or YAML, as data alone. Its errors name file, line and key, and never a value.

import {
  Composer,
  CST,
  isMap,
  isScalar,
  isSeq,
  Lexer,
  LineCounter,
  type Node,
  Parser,
  type YAMLMap,
} from "yaml";
import { type InputError, orNull, wrongSettings } from "../errors.ts";
import { didYouMean, isMisspelt } from "../options/nearest.ts";
import { unseenIn } from "../wsse/characters.ts";
import { isPlaceholder } from "../wsse/placeholders.ts";
import { commandText, contentProblem, type Level, levelOf, type SettingText } from "./levels.ts";
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

interface RcText extends Pick<RcFile, "path" | "shown" | "trust"> {
  readonly text: string;
  readonly lines: LineCounter;
}

interface Item {
  readonly source: Extract<Source, { kind: "rc" }>;
  readonly value: Node | null;
  /** The error of its key, or of its value, at the place where that begins. */
  readonly wrong: (part: "key" | "value", problem: string, hint: string) => InputError;
}

const profilesKey = "profiles";
const topLevelKeys: readonly string[] = [...settingNames.map(keyOf), profilesKey];

/** The items of a mapping, none for null. Aliases are refused as values: profiles inherit from the top level instead. */
function itemsOf(map: YAMLMap | null, { path: file, shown, trust, lines }: RcText): readonly Item[] {
  const seen = new Set<string>();
  return (map?.items ?? []).map(({ key: node, value: content }): Item => {
    const value = content as Node | null;
    const [keyPlace, valuePlace] = [node as Node, value].map((one) => lines.linePos(one?.range?.[0] ?? 0));
    const [start, end] = value?.range ?? [];
    const wrong: Item["wrong"] = (part, problem, hint) =>
      wrongAt({ file, ...(part === "key" || start === end ? keyPlace : valuePlace) }, problem, hint);
    const key = isScalar(node) ? node.value : undefined;
    if (typeof key !== "string" || key === "")
      throw wrong("key", "has a key that is not text", "Write it in quotes");
    if (seen.has(key))
      throw wrong("key", `sets ${shownKey(key) ?? "the same key"} twice`, "Keep one of the two");
    seen.add(key);
    return { source: { kind: "rc", file, shown, line: keyPlace?.line ?? 0, key, trust }, value, wrong };
  });
}

/** A key that a message may show; null for one that may be a secret on the wrong side of a colon, such as one of mixed case. */
const shownKey = (key: string, known: readonly string[] = topLevelKeys): string | null =>
  (key.length <= 12 && /^[a-z]+(?:[-_][a-z]+){0,2}$/.test(key)) || isMisspelt(key, known) ? key : null;

function unknownKey({ source: { key }, wrong }: Item, known: readonly string[]): InputError {
  const unseen = unseenIn(key);
  if (unseen !== null) return wrong("key", `has a key that ${unseen.problem}`, unseen.hint);
  if (topLevelKeys.includes(key))
    return wrong(
      "key",
      `has ${key} in a profile, and it belongs to the top level`,
      `Write ${key} at the top level, outside profiles`,
    );
  const shown = shownKey(key, known);
  const problem = shown === null ? "has an unknown key" : `has the unknown key ${shown}`;
  const near = shown === null ? "" : didYouMean(key, known);
  return wrong("key", problem, near || `Known keys: ${known.join(", ")}`);
}

function commandWordsOf({ source: { key, file, trust }, value, wrong }: Item): readonly string[] {
  // A checkout must not run anything.
  if (trust === "found")
    throw wrong(
      "key",
      `sets ${key}; an rc file found in the working tree may not name a command`,
      ifTrusted(file),
    );
  const words = isSeq(value) ? value.items.map((item) => (isScalar(item) ? item.value : null)) : [];
  const isText = (word: unknown): word is string => typeof word === "string" && !word.includes("\0");
  if (words[0] && words.every(isText) && !isPlaceholder(words[0])) return words;
  throw wrong(
    "value",
    `sets ${key} to something that is not a list of words`,
    `Write a list: ${key}: [pass, show, "referral/token"]`,
  );
}

function scalarTextOf({ source: { key }, value, wrong }: Item, isNumber: boolean): string {
  const content = isScalar(value) ? value.value : undefined;
  const problem = contentProblem(key, content, isNumber ? "number" : "text");
  if (problem === null) return String(content);
  const hint = isNumber ? `Write a plain number: ${key}: 10` : `Write one value in quotes: ${key}: "…"`;
  throw wrong("value", problem, hint);
}

/** Whether `null` is written there, which sets nothing. An empty value is an error: a person or a template left it out. */
const isNull = ({ value }: Item): boolean => isScalar(value) && value.value === null && value.source !== "";

/** What these items set; `known` are the keys that an error lists. */
function levelIn(items: readonly Item[], known: readonly string[]): Level {
  return levelOf(
    items.flatMap((item): readonly SettingText[] => {
      const { source } = item;
      const setting = settingNames.find((name) => keyOf(name) === source.key);
      if (setting === undefined || !known.includes(source.key)) throw unknownKey(item, known);
      if (isNull(item)) return [];
      const { kind } = definitionOf(setting);
      const text =
        kind === "command" ? commandText(commandWordsOf(item)) : scalarTextOf(item, kind === "number");
      return [{ setting, text, source }];
    }),
  );
}

function profilesIn(item: Item, rc: RcText): ReadonlyMap<string, Level> {
  const notMapping = ({ wrong }: Item, what: string): InputError =>
    wrong("key", `${what} that is not a mapping`, "Write a name below profiles and, below it, its keys");
  if (!isMap(item.value)) throw notMapping(item, "sets profiles to something");
  return new Map(
    itemsOf(item.value, rc).map((profile) => {
      const { source, value } = profile;
      if (!isMap(value) && !isEmpty(value)) throw notMapping(profile, "has a profile");
      return [source.key, levelIn(itemsOf(isMap(value) ? value : null, rc), profileKeys.map(keyOf))];
    }),
  );
}

/**
 * Parses an rc file. Throws InputError for anything but JSON or YAML 1.2 in UTF-8, an unknown or repeated key, a value of another type,
 * and a command in a found file. The error names the file, line, column and key, and never a value.
 */
export function parseRc(bytes: Uint8Array, path: string, trust: Trust, shown: string = path): RcFile {
  const text = orNull(() => new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  if (text === null) throw wrongAt({ file: path }, "is not UTF-8 text", "Save it as UTF-8 text");
  const rc: RcText = { path, shown, trust, text, lines: new LineCounter() };
  const items = itemsOf(rootOf(rc), rc).filter(({ source }) => source.key !== "$schema");
  const profiles = items.find(({ source }) => source.key === profilesKey);
  const top = levelIn(
    items.filter((item) => item !== profiles),
    topLevelKeys,
  );
  const isSet = profiles !== undefined && !isNull(profiles);
  return { path, shown, trust, top, profiles: isSet ? profilesIn(profiles, rc) : new Map() };
}

function wrongAt(
  { file, line, col }: { readonly file: string; readonly line?: number; readonly col?: number },
  problem: string,
  hint: string,
): InputError {
  const place = [file, line, col].filter((part) => part !== undefined).join(":");
  return wrongSettings(`The rc file ${place} ${problem}`, hint);
}

/** Whether a node of YAML is absent or null. */
const isEmpty = (node: unknown): boolean => node === null || (isScalar(node) && node.value === null);

/** The parser's own message as far as it has the parser's own words: behind them it quotes the file. */
const ownWords = (message: string): string =>
  /^(?!Unknown directive)(?:[A-Za-z ,'[\]{}-]|"(?=quote$)|(?<= ):(?= )| \((?=the ))+/
    .exec(message)?.[0]
    .trim() || "a line that cannot be read";

/**
 * Where the quotation mark or bracket began that stays open, although the parser notices it only at this place; null for none. A quoted
 * value has one line, and only white space or structure touches its end; behind a key stands one value; a bracket that begins a line
 * closes the one whose line has the same indent; and nothing follows the one that closes the first.
 */
function openedBefore(text: string, place: number): number | null {
  const open: { readonly at: number; readonly sign: string; readonly indent: number }[] = [];
  let [at, indent, isFirst, colon] = [0, 0, true, null as number | null];
  for (const lexeme of new Lexer().lex(text)) {
    if (lexeme === CST.FLOW_END) break;
    if (lexeme === CST.DOCUMENT || lexeme === CST.SCALAR) continue;
    if (at > place) return null;
    if (/^["']/.test(lexeme) && !/^(["'])[^\n]*\1$/.test(lexeme)) return at;
    if (/^["']/.test(lexeme) && /[^\s"',:[\]{}]/.test(text[at + lexeme.length] ?? "")) return at;
    if (lexeme === ":" && open.length > 0 && colon !== null) return colon;
    if (/^[,:[\]{}]$/.test(lexeme)) colon = lexeme === ":" ? at : null;
    if (lexeme === "{" || lexeme === "[") open.push({ at, sign: lexeme, indent });
    if (lexeme === "}" || lexeme === "]") {
      const opened = open.pop();
      if (opened === undefined) return null;
      const isOther = opened.sign !== (lexeme === "}" ? "{" : "[");
      if (isOther || (isFirst && opened.indent !== indent)) return opened.at;
      if (opened.at === 0 && text.slice(at + 1).trim() !== "") return at;
    }
    isFirst = lexeme === "\n" || (isFirst && /^[ \t]+$/.test(lexeme));
    if (isFirst) indent = lexeme === "\n" ? 0 : lexeme.length;
    at += lexeme.length;
  }
  return open.at(-1)?.at ?? null;
}

/** The mapping at the root; null for an empty file. */
function rootOf({ path: file, text, lines }: RcText): YAMLMap | null {
  // Report a problem at the end of the file on the last line that has text.
  const at = (offset: number) => ({ file, ...lines.linePos(Math.min(offset, text.trimEnd().length)) });
  const isJson = file.endsWith(".json");
  const malformed = (offset: number, message: string): InputError => {
    // The parser reports a missing comma at the next value. Point to the end of the value before it.
    const isBehind = message.startsWith("Missing ,") && /["\w]/.test(text[offset] ?? "");
    const place = isBehind ? text.slice(0, offset).trimEnd().length : offset;
    return wrongAt(
      at(openedBefore(text, place) ?? place),
      `is not valid ${isJson ? "JSON" : "JSON or YAML"}: ${ownWords(message)}`,
      isJson
        ? 'Write it like { "baseUrl": "https://…", "timeout": 10 }, with a comma between two keys and none at the end'
        : 'Write lines like baseUrl: "https://…"; put a value with other signs than letters and digits in single quotes',
    );
  };
  const nested = wrongAt({ file }, "is nested too deep", "Write only profiles, their names and their keys");
  // `uniqueKeys` would compare every key with every other. `itemsOf` finds a repeated key in one pass.
  const composer = new Composer({ schema: isJson ? "json" : "core", uniqueKeys: false });
  // Stop at the first problem: the composer would keep all of them, and 1 MiB of wrong escapes takes 500 MB. It catches what is thrown
  // and reports it once more, so `first` is thrown again. It has no option for this, only a private field:
  // test/threats/hostile-texts.built.test.ts notices if it is renamed.
  let first: InputError | null = null;
  const onError = (
    place: number | readonly [number, number] | CST.Token,
    code: string,
    message: string,
  ): never => {
    const offset = typeof place === "number" ? place : "offset" in place ? place.offset : place[0];
    first ??= code === "RESOURCE_EXHAUSTION" ? nested : malformed(offset, message);
    throw first;
  };
  Object.assign(composer, { onError });
  try {
    const tokens: CST.Token[] = [];
    for (const token of new Parser(lines.addNewLine).parse(text)) {
      if (token.type === "error") throw malformed(token.offset, token.message);
      tokens.push(token);
    }
    const [, second] = tokens.filter(({ type }) => type === "document");
    if (second !== undefined)
      throw wrongAt(at(second.offset), "holds a second YAML document", "Keep one document in it");
    const [document] = composer.compose(tokens, true, text.length);
    const root = document?.contents;
    if (isMap(root)) return root;
    if (isEmpty(root ?? null)) return null;
  } catch (error) {
    // Parser and composer are recursive: thousands of levels overflow the stack.
    throw error instanceof RangeError ? nested : error;
  }
  throw wrongAt(
    at(text.search(/\S/)),
    "is not a mapping of keys to values",
    'Write JSON or YAML, with lines like baseUrl: "https://…"',
  );
}
