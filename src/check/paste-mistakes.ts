// What copy and paste leaves around a credential, or in its place, told by its form alone. Nothing of the value is shown.

import { pastedPlaceholder } from "../wsse/placeholders.ts";

/** The patterns, by the id of their finding. The first that fits counts. */
const patterns = {
  // Excel, Google Sheets and LibreOffice make this of a token of digits and one e; some languages write a comma.
  "credential-number": /^\d(?:[.,]\d+)?e\+\d{2,3}$/i,
  // 1Password, Vault, AWS, Google, Azure, Doppler, Bitwarden, KeePassXC, vals
  "credential-reference":
    /^(?:(?:op|vault|bw|pass|keepassxc|keyvault|doppler|infisical|awssm|awsssm|gcpsm|gcp-sm|secret|secrets|sm|ssm|ref\+\w+):\/\/\S+|arn:aws:(?:secretsmanager|ssm):\S+|projects\/[^\s/]+\/secrets\/\S+|@Microsoft\.KeyVault\(.+\))$/i,
  "credential-placeholder": pastedPlaceholder,
  "credential-prefix":
    /^(?:(?:X-Auth-Token|X-WSSE|Authorization)\s*:\s*|(?:Bearer|Token|Basic|ApiKey)\s+)(?<value>\S.*)$/is,
  // Only one equals sign: the padding of base64 is not an assignment.
  "credential-assignment":
    /^(?:(?:export|set)\s+|\$env:)?(?<quote>["']?)(?<name>[a-z_][\w.-]*)\k<quote>(?:\s*=\s*(?!=)|:\s+)(?<value>\S.*)$/is,
  // A comma or semicolon follows in JSON and in code.
  "credential-quoted": /^\\?["'`“”„‘’‚«»](?<value>.+?)\\?["'`“”„‘’‚«»][,;]?$/s,
} as const;
const ids = Object.keys(patterns) as ReadonlyArray<keyof typeof patterns>;

// The names of credentials, and those of variables.
const exportedName =
  /^(?:(?:api|auth|access|x-auth)?[-_.]?(?:token|key|secret|password|passwd)|user(?:name)?|[A-Z]{3,}(?:_[A-Z]+)*)$/;

/** Each kind in words, to follow "the secret has". */
export const pasteWords: Readonly<Record<keyof typeof patterns, string>> = {
  "credential-number": "the form of a number that a spreadsheet made of it, such as 3.1E+39",
  "credential-reference": "the form of a reference of a password manager, such as op://vault/item/token",
  "credential-placeholder": `the form of a variable or placeholder, such as $NAME, \${{ … }}, %NAME% or <NAME>`,
  "credential-quoted": "quotation marks around it",
  "credential-prefix": "a header name or scheme before it",
  "credential-assignment": "a name and an equals sign or colon before it",
};

/** A paste mistake, and the text without it, which is null if nothing of the value is left. */
function firstMistake(text: string): {
  /** That of its finding. */
  readonly id: keyof typeof patterns;
  readonly cleaned: string | null;
  /** Whether it cannot belong to the value: a generated secret may hold an equals sign or a colon. */
  readonly isSure: boolean;
} | null {
  // Nearly each pattern needs another character. Compiling them takes 0.7 ms, and most credentials are like this.
  if (/^[\w.+/-]*$/.test(text) && !/^\d\.?\d*e\+|^projects\//i.test(text)) return null;
  for (const id of ids) {
    const match = patterns[id].exec(text);
    if (match === null) continue;
    const { value = null, name } = match.groups ?? {};
    return { id, cleaned: value, isSure: name === undefined || exportedName.test(name) };
  }
  return null;
}

// Nobody pastes more around a value, and a text of thousands of quotation marks must not keep the program busy.
const mostMistakes = 8;

/** The paste mistakes in a credential's text, the outermost first. Each is found after removing the one before. Pure. */
export function pasteMistakes(text: string): ReadonlyArray<NonNullable<ReturnType<typeof firstMistake>>> {
  const mistakes: Array<NonNullable<ReturnType<typeof firstMistake>>> = [];
  for (let left: string | null = text; left !== null && mistakes.length < mostMistakes; ) {
    const mistake = firstMistake(left);
    if (mistake === null) break;
    mistakes.push(mistake);
    left = mistake.cleaned;
  }
  return mistakes;
}
