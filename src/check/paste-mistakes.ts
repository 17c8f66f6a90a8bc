/** The kinds of mistakes that copy and paste leaves around a value, or in its place. */
export const pasteMistakeKinds = ["placeholder", "prefix", "assignment", "quotes"] as const;
/** The kind of a paste mistake. */
export type PasteMistakeKind = (typeof pasteMistakeKinds)[number];

/** A paste mistake, and the text without it; null if nothing of the value is left. */
export interface PasteMistake {
  readonly kind: PasteMistakeKind;
  readonly cleaned: string | null;
  /** Whether it cannot belong to the value: a generated secret may hold an equals sign or a colon. */
  readonly isSure: boolean;
}

const patterns: Readonly<Record<PasteMistakeKind, RegExp>> = {
  // $NAME, ${NAME}, $env:NAME, $(command), ${{ … }}, {{ … }}, %NAME%, <NAME>
  placeholder: /^(?:\$(?:env:)?[a-z_]\w*|\$\{.+\}|\$\(.+\)|\{\{.+\}\}|%[a-z_]\w*%|<[^<>]+>)$/is,
  prefix:
    /^(?:(?:X-Auth-Token|X-WSSE|Authorization)\s*:\s*|(?:Bearer|Token|Basic|ApiKey)\s+)(?<value>\S.*)$/is,
  // Only one equals sign: the padding of base64 is not an assignment.
  assignment:
    /^(?:(?:export|set)\s+|\$env:)?(?<quote>["']?)(?<name>[a-z_][\w.-]*)\k<quote>(?:\s*=\s*(?!=)|:\s+)(?<value>\S.*)$/is,
  // A comma or semicolon follows in JSON and in code.
  quotes: /^\\?["'`“”„‘’‚«»](?<value>.+?)\\?["'`“”„‘’‚«»][,;]?$/s,
};

// The names of credentials, and those of variables.
const exportedName =
  /^(?:(?:api|auth|access|x-auth)?[-_.]?(?:token|key|secret|password|passwd)|user(?:name)?|[A-Z]{3,}(?:_[A-Z]+)*)$/;

/** Each kind in words, to follow "the secret has". `it` is the word for what has it. */
export const pasteWords: Readonly<Record<PasteMistakeKind, (it: "it" | "them") => string>> = {
  placeholder: () => "a variable or placeholder in its place",
  quotes: (it) => `quotation marks around ${it}`,
  prefix: (it) => `a header name or scheme before ${it}`,
  assignment: (it) => `a name and an equals sign or colon before ${it}`,
};

function firstMistake(text: string): PasteMistake | null {
  // Each pattern needs another character. Compiling the four of them takes 0.7 ms, and most credentials are like this.
  if (/^[\w.+/-]*$/.test(text)) return null;
  for (const kind of pasteMistakeKinds) {
    const match = patterns[kind].exec(text);
    if (match === null) continue;
    const { value = null, name } = match.groups ?? {};
    return { kind, cleaned: value, isSure: name === undefined || exportedName.test(name) };
  }
  return null;
}

// Nobody pastes more around a value, and a text of thousands of quotation marks must not keep the program busy.
const mostMistakes = 8;

/** The paste mistakes in a credential's text, the outermost first. Each is found after removing the one before. Pure. */
export function pasteMistakes(text: string): readonly PasteMistake[] {
  const mistakes: PasteMistake[] = [];
  for (let left: string | null = text; left !== null && mistakes.length < mostMistakes; ) {
    const mistake = firstMistake(left);
    if (mistake === null) break;
    mistakes.push(mistake);
    left = mistake.cleaned;
  }
  return mistakes;
}

/** The text without all its paste mistakes; the text itself if it has none, or if no value would be left. */
export function cleanedText(text: string): string {
  return pasteMistakes(text).at(-1)?.cleaned ?? text;
}
