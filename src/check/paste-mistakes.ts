// How the text of a credential is written, where it is not the credential itself. Each row reads a text in one way, and what comes out
// is measured: nothing here knows which product writes so.

import { orNull } from "../errors.ts";
import { backslashes, references } from "../redaction/decode.ts";
import { documentedShape } from "../settings/secret.ts";
import { holdsVariable, pastedPlaceholder } from "../wsse/placeholders.ts";
import { isEmailAddress } from "../wsse/username.ts";
import type { FindingId } from "./result.ts";

/**
 * What a row says of a text: the text without what is around it, or decoded; null if it stands in the place of the value, so that
 * nothing is left; undefined if the row does not fit.
 */
type Reading = (text: string) => string | null | undefined;

/** A form of a text is null for a value; a text that has it stands in the value's place. */
const instead =
  (pattern: RegExp): Reading =>
  (text) =>
    pattern.test(text) ? null : undefined;
/** What the group `value` of a pattern holds. */
const group =
  (pattern: RegExp): Reading =>
  (text) =>
    pattern.exec(text)?.groups?.value;

// A function: only a credential of another form than the documented one needs the patterns. The first that fits counts.
const makeKinds = () =>
  ({
    number: [
      "credential-number",
      "the form of a number that a spreadsheet made of it, such as 3.1E+39",
      instead(/^\d(?:[.,]\d+)?e\+\d{2,3}$/i),
    ],
    reference: [
      "credential-reference",
      "the form of a reference, a URL or a path, such as op://vault/item/token",
      instead(/^(?:[A-Za-z][\w+.-]*:\/\/|arn:|@?(?:~|\.{1,2})\/|\/[a-z][a-z\d_.-]*\/[a-z])\S*$/),
    ],
    encrypted: [
      "credential-encoded",
      "the form of what a tool encrypted, hashed or armoured",
      instead(/^(?:-----BEGIN |\$\w+[$;]|\{\w+\}\S|ENC[[(]|vault:v\d+:)/),
    ],
    masked: [
      "credential-placeholder",
      "the form of a mask, as logs and pages show it in place of a secret",
      instead(
        /^(?:\w{0,8}[*•●∙]{3,}\w{0,8}(?:@[\w-]+\.[\w.-]+)?|x{6,}|\w{2,12}(?:\.{3}|…)\w{0,12}|[[(<](?:secret|masked|redacted|hidden|sensitive value)[\])>])$/i,
      ),
    ],
    empty: [
      "credential-placeholder",
      "the form of a word that programs write where there is no value",
      instead(/^(?:undefined|null|none|nil|nan|true|false|\[object \w+\])$/i),
    ],
    variable: [
      "credential-placeholder",
      `the form of a variable or placeholder, such as $NAME, \${{ … }}, %NAME% or <NAME>`,
      instead(pastedPlaceholder),
    ],
    prefix: [
      "credential-prefix",
      "a header name or scheme before it",
      group(
        /^(?:(?:X-Auth-Token|X-WSSE|Authorization|mailto)\s*:|(?:Bearer|Token|Basic|-H)\s)\s*(?<value>\S.*)$/is,
      ),
    ],
    assignment: [
      "credential-assignment",
      "a name and an equals sign or colon before it",
      group(
        /^(?:(?:export|set)\s+)?(["']?)[a-z_][\w.-]*\1(?:\s*=\s*(?!=)|:\s+(?=\S+$|["'].*["']$))(?<value>\S.*)$/is,
      ),
    ],
    quoted: [
      "credential-quoted",
      "quotation marks around it",
      group(/^=?\\?["'`“”„‘’‚«»](?<value>.+?)\\?["'`“”„‘’‚«»][,;]?$/s),
    ],
    base64: [
      "credential-encoded",
      "base64 around it, as Kubernetes writes secrets",
      (text) => {
        if (!/^(?:[\w+/-]{4}){3,}(?:[\w+/-]{2,3}={1,2})?$/.test(text)) return undefined;
        const read = Buffer.from(text, "base64").toString("latin1").trimEnd();
        return /^[!-~]+$/.test(read) ? read : undefined;
      },
    ],
    percent: [
      "credential-encoded",
      "signs written as %40, as a URL has them",
      (text) =>
        text.includes("%") ? (orNull(() => decodeURIComponent(text).trimEnd()) ?? undefined) : undefined,
    ],
    html: [
      "credential-encoded",
      "signs written as &amp;, as a web page has them",
      (text) => (text.includes("&") ? references(text) : undefined),
    ],
    escaped: [
      "credential-encoded",
      "backslashes before signs, as JSON and shells have them",
      (text) => (/\\(?:[!-/:-@[-`{-~]|u00)/i.test(text) ? backslashes(text) : undefined),
    ],
    grouped: [
      "credential-encoded",
      "signs or spaces between its digits",
      (text) => {
        const digits = text.replace(/[-:. ]/g, "");
        return documentedShape.test(digits) ? digits : undefined;
      },
    ],
    within: [
      "credential-prefix",
      "something before or behind it",
      group(/(?:^|^0x|\W)(?<value>[\da-f]{40})(?:\W|$)/i),
    ],
    address: ["credential-prefix", "a person's name before it", group(/<(?<value>[^<>\s@]+@[^<>\s@]+)>$/)],
    part: [
      "credential-placeholder",
      "a part with the form of a variable, such as $NAME or %NAME%",
      (text) => (holdsVariable(text) ? null : undefined),
    ],
  }) as const satisfies Readonly<Record<string, readonly [FindingId, words: string, Reading]>>;

export type Kind = keyof ReturnType<typeof makeKinds>;
let made: ReturnType<typeof makeKinds> | undefined;
const kinds = () => {
  made ??= makeKinds();
  return made;
};

/** Each kind in words, to follow "the secret has". */
export const pasteWords = (kind: Kind): string => kinds()[kind][1];

// A value can have such a form, so these are sure only where the documented form or an e-mail address comes out.
const unsure: readonly Kind[] = ["encrypted", "base64", "percent", "html", "escaped", "within", "part"];
// The names of credentials, and those of variables.
const exportedName =
  /^\W*(?:(?:export|set)\s+)?(?:(?:api|auth|access|x-auth)?[-_.]?(?:token|key|secret|password)|user(?:name)?|[A-Z]{3,}(?:_[A-Z]+)*)\s*[=:]/;

/** A paste mistake, and the text without it, which is null if nothing of the value is left. */
function firstMistake(text: string) {
  if (documentedShape.test(text)) return null;
  for (const [kind, [id, , read]] of Object.entries(kinds()) as [Kind, (typeof made & {})[Kind]][]) {
    const cleaned = read(text);
    if (cleaned === undefined || cleaned === text || cleaned === "") continue;
    const isWhole = cleaned !== null && (documentedShape.test(cleaned) || isEmailAddress(cleaned));
    const isSure =
      (isWhole && kind !== "within") ||
      (kind === "assignment" ? exportedName.test(text) : !unsure.includes(kind));
    return { kind, id, cleaned, isSure };
  }
  return null;
}

// Nobody pastes more around a value, and a text of thousands of quotation marks must not keep the program busy.
const mostMistakes = 8;

function mistakesIn(text: string) {
  const mistakes: Array<NonNullable<ReturnType<typeof firstMistake>>> = [];
  for (let left: string | null = text; left !== null && mistakes.length < mostMistakes; ) {
    const mistake = firstMistake(left);
    if (mistake === null) break;
    mistakes.push(mistake);
    left = mistake.cleaned;
  }
  return mistakes;
}

// Several rules ask for those of one account.
const known = new Map<string, ReturnType<typeof mistakesIn>>();

/** The paste mistakes in a credential's text, the outermost first. Each is found after removing the one before. */
export function pasteMistakes(text: string): Readonly<ReturnType<typeof mistakesIn>> {
  const found = known.get(text) ?? mistakesIn(text);
  if (known.size > 3) known.clear();
  known.set(text, found);
  return found;
}
