import { Composer, type Document, isMap, isScalar, Lexer, LineCounter, Parser, type YAMLMap } from "yaml";
import { type InputError, orNull, wrongSettings } from "../errors.ts";
import type { Source } from "./source.ts";

/** The text of an rc file, where it lies, and how to number its lines. */
export interface RcText extends Pick<Extract<Source, { kind: "rc" }>, "file" | "trust"> {
  readonly text: string;
  readonly lines: LineCounter;
}

/** The InputError of a line of the file, or of the file as a whole. */
export function wrong(place: { file: string; line?: number }, problem: string, hint: string): InputError {
  const line = place.line === undefined ? "" : `, line ${place.line}`;
  return wrongSettings(`The rc file ${place.file}${line} ${problem}`, hint);
}

/** Whether a node of YAML is absent or null. */
export const isEmpty = (node: unknown): boolean => node === null || (isScalar(node) && node.value === null);

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
export function readDocument(
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
