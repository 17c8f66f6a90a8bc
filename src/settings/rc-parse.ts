// Parses an rc file, JSON or YAML, as data alone. Its errors name file, line and key, and never a value.

import { Composer, CST, isMap, isScalar, isSeq, LineCounter, type Node, Parser, type YAMLMap } from "yaml";
import { type InputError, orNull, wrongSettings } from "../errors.ts";
import { didYouMean, isMisspelt } from "../options/nearest.ts";
import { unseenIn } from "../wsse/characters.ts";
import { isPlaceholder } from "../wsse/placeholders.ts";
import { notNumber } from "./definition.ts";
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
      throw wrong(
        place,
        `sets ${topLevelKeys.includes(key) || isPlain(key) ? key : "the same key"} twice`,
        "Keep one of the two",
      );
    seen.add(key);
    const end = isScalar(value) && value.type === "PLAIN" ? value.range?.[1] : undefined;
    return {
      source: { kind: "rc", ...place, key, trust },
      value: value as Node | null,
      commentFollows: end !== undefined && /^[ \t]+#/.test(text.slice(end, end + 100)),
    };
  });
}

const longestPlain = 12;

/** Whether a key is one to three short words of letters, as names of settings are. Any other may be a secret on the wrong side of a colon. */
function isPlain(key: string): boolean {
  const words = key.split(/[-_.]|(?=[A-Z][a-z])/);
  return (
    key.length <= longestPlain &&
    words.length <= 3 &&
    words.every((word) => /^(?:[A-Z]?[a-z]+|[A-Z]+)$/.test(word))
  );
}

/** What is set elsewhere than in an rc file. */
const elsewhere: ReadonlyArray<readonly [keys: string, hint: string]> = [
  ["noProxy no_proxy NO_PROXY", "Set the variable NO_PROXY, a list of hosts with commas between"],
  ["insecureHttp insecure-http", "Give --insecure-http with each run: no file allows it"],
  ["verbose quiet json ndjson junit metrics shard resolve", "It is an option of the command line alone"],
  ["accounts", "Give --accounts FILE on the command line"],
  ["headers header", "Leave it out: no other header fields are sent"],
];

function unknownKey({ source, value }: Item, known: readonly string[]): InputError {
  const { key } = source;
  const unseen = unseenIn(key);
  if (unseen !== null) return wrong(source, `has a key that ${unseen.problem}`, unseen.hint);
  if (key === "sops" && isMap(value))
    return wrong(source, "is still encrypted by SOPS", "Decrypt it first: sops decrypt FILE");
  if (topLevelKeys.includes(key))
    return wrong(
      source,
      `has ${key} in a profile, and it belongs to the top level`,
      `Write ${key} at the top level, outside profiles`,
    );
  if (key === "<<")
    return wrong(
      source,
      "has a merge key (<<), which is not read",
      "Write what profiles share at the top level: they inherit it",
    );
  if (/^\/[/*]/.test(key)) return wrong(source, ofJavaScript[0], ofJavaScript[1]);
  const isShown =
    isMisspelt(key, known) ||
    (isPlain(key) && !known.some((one) => key.toLowerCase().includes(one.toLowerCase())));
  const problem = isShown ? `has the unknown key ${key}` : "has an unknown key";
  const [, hint] = elsewhere.find(([keys]) => keys.split(" ").includes(key)) ?? [];
  // A near name that is part of another one is not meant by a key with keys of its own.
  if (hint === undefined && isMap(value) && !isMisspelt(key, known))
    return wrong(
      source,
      `${problem}, with keys below it`,
      known === topLevelKeys
        ? "Write the name of an account and its keys below profiles; what is no account has its keys at the top level"
        : "Write these keys without it, below the name of the profile",
    );
  return wrong(source, problem, hint ?? (didYouMean(key, known) || `Known keys: ${known.join(", ")}`));
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
  if (isText(words[0]) && isPlaceholder(words[0]))
    throw wrong(
      source,
      `names the program of ${key} by a placeholder in braces, and an rc file expands nothing`,
      "Write the name of the program itself",
    );
  if (words[0] && words.every(isText)) return words;
  throw wrong(
    source,
    `sets ${key} to something that is not a list of words`,
    `Write a list: ${key}: [pass, show, "referral/token"]`,
  );
}

function scalarTextOf({ source, value }: Item, isNumber: boolean): string {
  const { key } = source;
  const content = isScalar(value) ? value.value : undefined;
  if (typeof content !== (isNumber ? "number" : "string")) {
    const hint =
      isMap(value) || isSeq(value)
        ? `Write one value behind it: ${key}: ${isNumber ? "10" : '"…"'}`
        : isNumber
          ? `Write a plain number: ${key}: 10`
          : `Write it in quotes: ${key}: "…"`;
    const what = isNumber ? notNumber(content, "an rc file") : "something that is not text";
    throw wrong(source, `sets ${key} to ${what}`, hint);
  }
  // The marks | and > leave a line feed behind the last line.
  if (
    typeof content === "string" &&
    isScalar(value) &&
    value.type?.startsWith("BLOCK") &&
    content.endsWith("\n")
  )
    throw wrong(
      source,
      `sets ${key} to a block that ends with a line feed`,
      "Write |- or >- in place of | or >, or the value behind its key",
    );
  if (content === "")
    throw wrong(source, `sets ${key} to an empty text`, `Give ${key} a value, or delete the line`);
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
  if (!isMap(value))
    throw wrong(
      source,
      "sets profiles to something that is not a mapping",
      "Write a name and, below it, its keys",
    );
  return new Map(
    itemsOf(value, rc).map(({ source, value }) => {
      if (!isMap(value) && !isEmpty(value))
        throw wrong(
          source,
          "has a profile that is not a mapping",
          topLevelKeys.includes(source.key)
            ? `Write ${source.key} below the name of a profile`
            : "Write its keys below its name",
        );
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

function wrong(place: { file: string; line?: number }, problem: string, hint: string): InputError {
  const line = place.line === undefined ? "" : `:${place.line}`;
  return wrongSettings(`The rc file ${place.file}${line} ${problem}`, hint);
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

/** What is wrong in YAML and how to mend it, by the parser's code. */
const byCode: Readonly<Record<string, readonly [problem: string, hint: string]>> = {
  BAD_DQ_ESCAPE: [
    "has a backslash in double quotes that is no escape",
    "Use single quotes, or write \\\\ for each backslash",
  ],
  TAG_RESOLVE_FAILED: [
    "has a tag, such as !secret or !vault, that another program would fill in",
    "Write the value itself, or a tokenCommand or secretCommand that prints it; text that begins with ! needs quotes",
  ],
};

const ofJavaScript = [
  "has a comment in the form of JavaScript",
  "Remove it: JSON has no comments, and in YAML one begins with #",
] as const;

/**
 * What people write in a line that is neither JSON nor YAML. The first that fits counts; the first of all is seen in the first line of
 * the file too. No text of the line is shown.
 */
const lineSlips: ReadonlyArray<readonly [line: RegExp, problem: string, hint: string]> = [
  [
    /^\s*(?:module\.exports|export\s+(?:default|const)|const|let|var)\b/,
    "is JavaScript, which is never run",
    "Write its data as JSON or YAML",
  ],
  [/^\s*\/[/*]/, ...ofJavaScript],
  [
    /^(?:<{7}|={7}|>{7})(?:\s|$)/,
    "holds the marks of a merge conflict",
    "Keep one of both sides, and remove the lines of marks",
  ],
  [
    /^(?:\$ANSIBLE_VAULT;|-----BEGIN (?:PGP|AGE) )/,
    "is still encrypted",
    "Decrypt it first; or keep the file plain, and let a tokenCommand or secretCommand print what is secret",
  ],
  [/^ *\t/, "is indented with a tab", "Indent with spaces: YAML takes no tabs there"],
  [
    /^\s*\[[\w .-]+\]\s*$/,
    "has a section as INI or TOML has it",
    "Write JSON or YAML, with the accounts below profiles",
  ],
  [
    /^\s*(?:export\s+)?\w+\s*=/,
    "has an equals sign behind a name, as a file of variables has it",
    'Write JSON or YAML, such as "baseUrl: https://…"',
  ],
  [/^\s*\w+:(?!\/\/)\S/, "has no space behind a colon", 'Write one, as in "baseUrl: https://…"'],
  [
    /^[^:]*(?:token|secret|username):\s+[{[]/,
    "has a value that begins with a sign of YAML",
    "Write the value in single quotes",
  ],
  [/:\s+[@`%*&!]/, "has a value that begins with a sign of YAML", "Write the value in single quotes"],
  [
    /^[^"'#]*:\s+[^"'\s][^"']*:(?:\s|$)/,
    "has a colon and a space inside a value",
    "Write the value in single quotes",
  ],
];

/** The mapping at the root; null for an empty file. The parser's own messages quote the file, so they are not shown. */
function rootOf({ file, text, lines }: RcText): YAMLMap | null {
  const at = (offset: number, problem: string, hint: string): InputError =>
    wrong({ file, line: lines.linePos(offset).line }, problem, hint);
  /** What is wrong in the line of this place, or else the general words. The end of the file belongs to its last line. */
  const slipAt = (offset: number, ...general: readonly [problem: string, hint: string]) => {
    const place = Math.min(offset, text.trimEnd().length);
    const start = text.lastIndexOf("\n", place - 1) + 1;
    const line = text.slice(start, start + 1_000).split("\n", 1)[0] ?? "";
    const [, ...slip] =
      lineSlips.find(([seen], row) => seen.test(line) || (row === 0 && seen.test(text))) ?? [];
    return slip.length === 0 ? general : slip;
  };
  const malformed = (offset: number, code = ""): InputError => {
    // A bare word of JSON gets the code of a tag.
    const known = code === "TAG_RESOLVE_FAILED" && !text.startsWith("!", offset) ? null : byCode[code];
    const [problem, hint] =
      known ?? slipAt(offset, "is not valid JSON or YAML", "Check the quotes, colons and indentation there");
    return at(Math.min(offset, text.trimEnd().length), problem, hint);
  };
  const nested = (offset: number): InputError =>
    at(
      offset,
      `is nested more than ${maxDepth} levels deep`,
      "Write only profiles, their names and their keys",
    );
  const tokens: CST.Token[] = [];
  try {
    for (const token of new Parser(lines.addNewLine).parse(text)) {
      if (token.type === "error") throw malformed(token.offset);
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
  const onError = (place: number | readonly [number, number] | CST.Token, code: string): never => {
    const offset = typeof place === "number" ? place : "offset" in place ? place.offset : place[0];
    first ??= malformed(offset, code);
    throw first;
  };
  Object.assign(composer, { onError });
  const [document] = composer.compose(tokens, true, text.length);
  const root = document?.contents;
  if (isMap(root)) return root;
  if (isEmpty(root ?? null)) return null;
  const begin = text.search(/\S/);
  const [problem, hint] = slipAt(
    begin,
    "is not a mapping of keys to values",
    'Write lines like "baseUrl: https://…"',
  );
  throw at(0, problem, hint);
}
