// What copying, a shell, a template or a store leaves around a value, or puts in its place: a row for each kind.

import { orNull } from "../errors.ts";
import { documentedShape } from "../settings/secret.ts";
import { pastedPlaceholder, programPlaceholder } from "../wsse/placeholders.ts";
import { isEmailAddress } from "../wsse/username.ts";
import type { FindingId } from "./result.ts";

// A kind has its finding, the words to follow "the secret has", the pattern that shows it, and what the match says: what is left of the
// text (null for nothing), and whether it is one for certain; null if it is none. A row calls nothing, so that a bundle of authHeaders
// alone is without the table.

/** Something stands in the place of the value. */
const instead = () => ({ cleaned: null, isSure: true });

/** Something may stand in the place of the value: a value can have such a form. */
const maybeInstead = () => ({ cleaned: null, isSure: false });

/** Something stands around the value, which is the group `value`; without it nothing is left. */
function around({ groups }: RegExpExecArray) {
  const { value = null, name } = groups ?? {};
  return { cleaned: value, isSure: name === undefined || exportedName.test(name) };
}

/**
 * The value is written in another way, and reads so. A generated value may have such a form, so it is sure only where a token of the
 * documented form or an e-mail address comes out.
 */
function written({ input }: RegExpExecArray, cleaned: string | null) {
  if (cleaned === null || cleaned === input) return null;
  return { cleaned, isSure: documentedShape.test(cleaned) || isEmailAddress(cleaned) };
}

// The names of credentials, and those of variables.
const exportedName =
  /^(?:(?:api|auth|access|x-auth)?[-_.]?(?:token|key|secret|password|passwd)|user(?:name)?|[A-Z]{3,}(?:_[A-Z]+)*)$/;

const signs: Readonly<Record<string, string>> = {
  amp: "&",
  quot: '"',
  apos: "'",
  lt: "<",
  gt: ">",
  "#39": "'",
  "#34": '"',
};

// The order counts: the first that fits.
const kinds = {
  // Excel, Google Sheets and LibreOffice make this of a token of digits and one e; some languages write a comma.
  number: [
    "credential-number",
    "the form of a number that a spreadsheet made of it, such as 3.1E+39",
    /^\d(?:[.,]\d+)?e\+\d{2,3}$/i,
    instead,
  ],
  // 1Password, Vault, AWS, Google, Azure, Doppler, Bitwarden, KeePassXC, vals
  reference: [
    "credential-reference",
    "the form of a reference of a password manager, such as op://vault/item/token",
    /^(?:(?:op|vault|bw|pass|keepassxc|keyvault|doppler|infisical|awssm|awsssm|gcpsm|gcp-sm|secret|secrets|sm|ssm|ref\+\w+):\/\/\S+|arn:aws:(?:secretsmanager|ssm):\S+|projects\/[^\s/]+\/secrets\/\S+|(?:secret|kv)\/[\w/-]+#\w+|@Microsoft\.KeyVault\(.+\))$/i,
    instead,
  ],
  // Ansible Vault, SOPS, Jasypt, Jenkins, Spring Cloud Config, Vault's transit engine, dotenvx, Fernet, PGP, age
  encrypted: [
    "credential-encoded",
    "the form of what a tool encrypted and nothing decrypted",
    /^(?:\$ANSIBLE_VAULT;|ENC\[\w+,|ENC\(.+\)$|\{AQA[\w+/=]{12,}\}$|\{cipher\}|vault:v\d+:|encrypted:[\w+/]{20}|gAAAAA[\w-]{80}|-----BEGIN (?:PGP MESSAGE|AGE ENCRYPTED FILE)-----)/,
    instead,
  ],
  // bcrypt, SHA-crypt, yescrypt, Apache, Argon2, Django, LDAP. Some servers take the stored hash as the secret (Symfony's do).
  hashed: [
    "credential-encoded",
    "the form of a password's hash, as databases store it",
    /^(?:\$(?:2[abxy]|5|6|y|apr1|argon2\w+)\$\S+|pbkdf2_\w+\$\S+|\{S?(?:SHA|MD5)\d*\}\S+)$/,
    maybeInstead,
  ],
  file: [
    "credential-reference",
    "the form of a file's path, and nothing reads the file",
    /^(?:@[\w.~/-]+\.\w{2,5}|file:\S+|%[dhtS]\/\S+|(?:~|\.{1,2}|[a-z]:)[\\/].+|\/(?:run|etc|home|var|tmp|mnt|opt|root|srv|usr|secrets?|vault|Users|builds|workspace|github|app|data|media|private|Volumes)\/.+|[\w.-]+\.(?:txt|key|pem|env|json|ya?ml))$/is,
    instead,
  ],
  // PEM and OpenSSH. A key of SSH or TLS has no place here.
  key: [
    "credential-reference",
    "the form of a key or certificate of SSH or TLS",
    /^(?:-----BEGIN |(?:ssh-(?:rsa|ed25519)|ecdsa-sha2-\S+) AAAA)/,
    instead,
  ],
  url: [
    "credential-reference",
    "the form of a URL, as if variables were exchanged",
    /^https?:\/\/\S+$/i,
    instead,
  ],
  masked: [
    "credential-placeholder",
    "the form of a mask, as logs and pages show it in place of a secret",
    /^(?:\w{0,8}[*•●∙]{3,}\w{0,8}(?:@[\w-]+\.[\w.-]+)?|x{6,}|[[(<{](?:(?:secret|token|password|value|variable)[-_ ])?(?=\w)(?:masked|redacted|filtered|hidden|secret|removed|protected|sensitive(?: value)?)[\])>}]|\w{2,12}(?:\.{3}|…)\w{0,12})$/i,
    instead,
  ],
  empty: [
    "credential-placeholder",
    "the form of a word that programs and people write where there is no value",
    /^(?:undefined|null|none|nil|nan|true|false|n\/a|-{1,3}|\[object \w+\])$/i,
    instead,
  ],
  object: [
    "credential-placeholder",
    "the form of an object's name, as programs write what is no text",
    /^(?:System\.[A-Z][\w.]*(?:\[\])?|\[[BCI]@[\da-f]+|HASH\(0x[\da-f]+\)|<Buffer [\da-f ]+>|<\w+ [^<>]* at 0x[\da-f]+>)$/,
    instead,
  ],
  // A test server may have such a secret.
  example: [
    "credential-placeholder",
    "the form of an example, as pages show it in place of a value",
    /^(?:(?:change|replace)[-_ ]?(?=\w)(?:me|this|it)|to-?do|tbd|fixme|placeholder|(?:your|my|insert|enter|put|paste|example|sample|dummy)(?=[-_ ])(?:[-_ ][a-z0-9]{1,20}){0,3}[-_ ](?=\w)(?:token|key|secret|password|value|here)|(?:api|auth|access)[-_ ]?(?=\w)(?:token|key|secret))$/i,
    maybeInstead,
  ],
  named: [
    "credential-prefix",
    "a person's name before it, as mail programs write addresses",
    /^[^<>]*<(?<value>[^<>\s@]+@[^<>\s@]+)>$/,
    around,
  ],
  variable: [
    "credential-placeholder",
    `the form of a variable or placeholder, such as $NAME, \${{ … }}, %NAME% or <NAME>`,
    pastedPlaceholder,
    instead,
  ],
  program: [
    "credential-placeholder",
    'the form of a variable of a program or template, such as process.env.NAME or getenv("NAME")',
    programPlaceholder,
    instead,
  ],
  // A sentence can be a secret too.
  error: [
    "credential-placeholder",
    "the form of an error message, as if a command had printed it",
    /^(?:<(?:!doctype|html)\b|\[?error|fatal|failed|usage|warning|could not|cannot|unable to|no such|permission denied|access denied|command not found)\b[^\n]*\s/i,
    maybeInstead,
  ],
  // Such a cell is text in Excel and Google Sheets.
  formula: [
    "credential-quoted",
    "an equals sign and quotation marks around it, as a spreadsheet writes text",
    /^="(?<value>[^"]+)"$/,
    around,
  ],
  prefix: [
    "credential-prefix",
    "a header name or scheme before it",
    /^(?:(?:X-Auth-Token|X-WSSE|Authorization)\s*:\s*|mailto:|(?:Bearer|Token|Basic|ApiKey|-H|--header)\s+)(?<value>\S.*)$/is,
    around,
  ],
  json: [
    "credential-assignment",
    "JSON around it",
    /^\{\s*"(?:[\w.-]+"\s*:\s*"(?<value>[^"\\]+)"\s*\}$|[^"]*"\s*:.*\}$)/s,
    around,
  ],
  // Only one equals sign: the padding of base64 is not an assignment.
  assignment: [
    "credential-assignment",
    "a name and an equals sign or colon before it",
    /^(?:(?:export|set)\s+|\$env:)?(?<quote>["']?)(?<name>[a-z_][\w.-]*)\k<quote>(?:\s*=\s*(?!=)|:\s+)(?<value>\S.*)$/is,
    around,
  ],
  // Docker and systemd take a comment behind a value as a part of it. A secret of several words may have one that begins so.
  comment: [
    "credential-assignment",
    "a comment behind it",
    /^(\S+)\s+#/,
    (match: RegExpExecArray) => written(match, match[1] ?? null),
  ],
  // A comma or semicolon follows in JSON and in code.
  quoted: [
    "credential-quoted",
    "quotation marks around it",
    /^\\?["'`“”„‘’‚«»](?<value>.+?)\\?["'`“”„‘’‚«»][,;]?$/s,
    around,
  ],
  halfQuoted: [
    "credential-encoded",
    "a quotation mark at one end, as a spreadsheet or a cut leaves it",
    /^["'`][^"'`]+$|^[^"'`]+["'`]$/,
    (match: RegExpExecArray) => written(match, match.input.replace(/^["'`]|["'`]$/, "")),
  ],
  base64: [
    "credential-encoded",
    "base64 around it, as Kubernetes writes secrets",
    /^(?:[\w+/-]{4}){3,}(?:[\w+/-]{2,3}={1,2}|[\w+/-]{4})$/,
    (match: RegExpExecArray) => {
      const read = Buffer.from(match.input, "base64")
        .toString("latin1")
        .replace(/\r?\n$/, "");
      return documentedShape.test(match.input) || !/^[!-~]+$/.test(read) ? null : written(match, read);
    },
  ],
  percent: [
    "credential-encoded",
    "signs written as %40, as a URL has them",
    /%[2-7][0-9a-f]|%0[ad]$/i,
    (match: RegExpExecArray) =>
      written(
        match,
        orNull(() => decodeURIComponent(match.input).replace(/\r?\n$/, "")),
      ),
  ],
  html: [
    "credential-encoded",
    "signs written as &amp;, as a web page has them",
    /&(?:amp|quot|apos|lt|gt|#3[49]);/,
    (match: RegExpExecArray) =>
      written(
        match,
        match.input.replace(/&(amp|quot|apos|lt|gt|#3[49]);/g, (_, name: string) => signs[name] ?? ""),
      ),
  ],
  escaped: [
    "credential-encoded",
    "signs written as \\u0026, as JSON has them",
    /\\u00[2-7][0-9a-f]/i,
    (match: RegExpExecArray) =>
      written(
        match,
        match.input.replace(/\\u(00[2-7][0-9a-f])/gi, (_, code: string) =>
          String.fromCharCode(Number.parseInt(code, 16)),
        ),
      ),
  ],
  backslash: [
    "credential-encoded",
    "a backslash before a sign, as shells and JSON have it",
    /\\[!-/:-@[-`{-~]/,
    (match: RegExpExecArray) => written(match, match.input.replace(/\\([!-/:-@[-`{-~])/g, "$1")),
  ],
  dollar: [
    "credential-encoded",
    "$$ in place of a $, as Docker Compose has it",
    /\$\$/,
    (match: RegExpExecArray) =>
      written(
        match,
        match.input.replaceAll("$$", () => "$"),
      ),
  ],
  // UTF-8 that was read as Latin-1: Ã© in place of é.
  misread: [
    "credential-encoded",
    "letters such as Ã© in place of é: UTF-8 that was read as Latin-1",
    /[\u00c2-\u00f4][\u0080-\u00bf]/,
    (match: RegExpExecArray) => {
      const read = /^[\0-\u00ff]*$/.test(match.input)
        ? Buffer.from(match.input, "latin1").toString("utf8")
        : "\ufffd";
      return read.includes("\ufffd") ? null : written(match, read);
    },
  ],
  decomposed: [
    "credential-encoded",
    "letters with their accents apart (Unicode NFD), as macOS writes them",
    /[\u0300-\u036f]/,
    (match: RegExpExecArray) => written(match, match.input.normalize("NFC")),
  ],
  grouped: [
    "credential-encoded",
    "signs or spaces between its digits",
    /^[0-9a-f]+(?:[-:. ][0-9a-f]+)+$/i,
    (match: RegExpExecArray) => {
      const digits = match.input.replace(/[-:. ]/g, "");
      return documentedShape.test(digits) ? written(match, digits) : null;
    },
  ],
  // A secret may be made so.
  within: [
    "credential-prefix",
    "something before or behind it",
    /(?:^|^0x|\W)([0-9a-f]{40})(?:\W|$)/i,
    (match: RegExpExecArray) => ({ cleaned: match[1] ?? null, isSure: false }),
  ],
} as const satisfies Readonly<
  Record<string, readonly [FindingId, words: string, RegExp, (match: RegExpExecArray) => unknown]>
>;

const names = /* @__PURE__ */ Object.keys(kinds) as ReadonlyArray<keyof typeof kinds>;
const only = (...lists: ReadonlyArray<readonly string[]>): typeof names =>
  names.filter((name) => lists.some((list) => list.includes(name)));
// V8 compiles a pattern when it is first tried, and all for a text without signs would take 1.6 ms of a start. A text of letters and
// digits can be none but these (0.8 ms); one with a few signs may be six more. A `?=` keeps V8 from compiling what follows for each
// word before.
const ofLetters = /* @__PURE__ */ only(["encrypted", "masked", "empty", "example", "base64", "within"]);
const ofPlainText = /* @__PURE__ */ only(ofLetters, [
  "number",
  "reference",
  "file",
  "program",
  "object",
  "grouped",
]);

/** Each kind in words, to follow "the secret has". */
export const pasteWords = (kind: keyof typeof kinds): string => kinds[kind][1];

/** A paste mistake, and the text without it, which is null if nothing of the value is left. */
function firstMistake(text: string) {
  if (documentedShape.test(text)) return null;
  const some = /^[a-z\d]*$/i.test(text) ? ofLetters : /^[\w.+/-]*={0,2}$/.test(text) ? ofPlainText : names;
  for (const kind of some) {
    const [id, , pattern, read] = kinds[kind];
    const match = pattern.exec(text);
    const seen = match && read(match);
    if (seen !== null) return { kind, id, ...seen };
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
