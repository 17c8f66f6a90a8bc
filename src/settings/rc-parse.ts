import {
  Composer,
  type Document,
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
import { commandText, type Level, levelOf, type SettingText } from "./levels.ts";
import { didYouMean } from "./nearest.ts";
import { ifTrusted, type Source, type Trust } from "./source.ts";
import { definitionOf, profileKeys, settingNames } from "./table.ts";

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
      const setting = settingNames.find((name) => name === source.key);
      if (setting === undefined || !known.includes(setting)) throw unknownKey(source, known);
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

/** The text of an rc file, where it lies, and how to number its lines. */
interface RcText extends Pick<RcSource, "file" | "trust"> {
  readonly text: string;
  readonly lines: LineCounter;
}

/** The InputError of a line of the file, or of the file as a whole. */
function wrong(place: { file: string; line?: number }, problem: string, hint: string): InputError {
  const line = place.line === undefined ? "" : `, line ${place.line}`;
  return wrongSettings(`The rc file ${place.file}${line} ${problem}`, hint);
}

/** Whether a node of YAML is absent or null. */
const isEmpty = (node: unknown): boolean => node === null || (isScalar(node) && node.value === null);

// The composer is recursive.
const maxDepth = 32;

/** Where the parser finds a problem: an offset, a range, or a token. */
type Place = number | readonly number[] | { readonly offset: number };

/**
 * The document of a text. Unlike `parseDocument` it stops at the first problem: 64 KiB of `? ` take that one more than a minute,
 * and others up to 290 MB. The parser's own messages quote the file, so they are not shown.
 */
function documentIn({ file, text, lines }: RcText): Document {
  const at = (place: Place, problem: string, hint: string): InputError => {
    const [offset = 0] = [typeof place === "object" && "offset" in place ? place.offset : place].flat();
    return wrong({ file, line: lines.linePos(offset).line }, problem, hint);
  };
  const malformed = (place: Place): InputError =>
    at(place, "is not valid JSON or YAML", "Check the quotes, colons and indentation there");
  let error: InputError | null = null;
  let warning: InputError | null = null;
  const onError = (place: Place, _code: string, _message: string, isWarning = false): void => {
    if (isWarning) {
      warning ??= malformed(place);
      return;
    }
    // The composer catches what is thrown in a collection, and reports it again as a problem of that collection.
    error ??= malformed(place);
    throw error;
  };
  const composer = new Composer({
    schema: file.endsWith(".json") ? "json" : "core",
    // Its own check compares every key with every other; the keys are checked in one pass later.
    uniqueKeys: false,
  });
  // The composer has no option for this, only a private field. test/settings/hostile-texts.test.ts notices if it is renamed.
  Object.assign(composer, { onError });
  const parser = new Parser(lines.addNewLine);
  lines.addNewLine(0);
  let documents = 0;
  const compose = (tokens: ReturnType<Parser["next"]>): void => {
    for (const token of tokens) {
      if (token.type === "error") throw malformed(token);
      documents += token.type === "document" ? 1 : 0;
      if (documents > 1) throw wrong({ file }, "holds several YAML documents", "Keep one document in it");
      for (const _ of composer.next(token));
    }
  };
  for (const lexeme of new Lexer().lex(text)) {
    compose(parser.next(lexeme));
    // The stack begins with the document.
    const deepest = parser.stack[maxDepth + 1];
    if (deepest !== undefined && "items" in deepest)
      throw at(
        deepest,
        `is nested more than ${maxDepth} levels deep`,
        "Write only profiles, their names and their keys",
      );
  }
  compose(parser.end());
  const [document] = composer.end(true, text.length);
  const [rest] = [...(document?.errors ?? []), ...(document?.warnings ?? [])];
  if (rest !== undefined) throw malformed(rest.pos);
  if (warning !== null) throw warning;
  if (document === undefined) throw new Error("the parser gave no document");
  return document;
}

/** Reads the bytes of an rc file: its text, and the mapping at its root, null for an empty file. Throws InputError. */
function readDocument(
  bytes: Uint8Array,
  { file, trust }: Pick<RcText, "file" | "trust">,
): { readonly rc: RcText; readonly root: YAMLMap | null } {
  const text = orNull(() => new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  if (text === null) throw wrong({ file }, "is not UTF-8 text", "Save it as UTF-8 text");
  const rc: RcText = { file, trust, text, lines: new LineCounter() };
  const { contents } = documentIn(rc);
  if (isEmpty(contents)) return { rc, root: null };
  if (isMap(contents)) return { rc, root: contents };
  throw wrong(
    { file, line: 1 },
    "is not a mapping of keys to values",
    'Write lines like "baseUrl: https://…"',
  );
}
