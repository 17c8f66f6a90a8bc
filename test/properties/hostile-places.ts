import { type RequestOptions, request } from "node:http";
import { answer, successText } from "../faults/answers.ts";
import { signed, trusting } from "../faults/authority.ts";
import { answering, securing, sends } from "../faults/peers.ts";
import { emulate } from "../support/emulate.ts";
import { planted } from "../support/planted.ts";
import { type Attack, good, meet, meetLines, meetRows, variables } from "./hostile-runs.ts";

/** A place where text of others enters, and the longest text that is tried there: about what the place holds. */
type Place = readonly [title: string, longest: number, start: () => Promise<Attack>];

/** A place in a response: how the text stands there, and the account whose server or proxy sends it. */
type ResponsePlace = readonly [
  title: string,
  longest: number,
  bytesOf: (text: string) => Uint8Array,
  accountOf: (url: string, secret: string, text?: string) => { readonly token: string },
];

// With what is around the text, a body, a line of --accounts and a found rc file may have 64 KiB, the header of a response 16 KiB, that of a
// request to the emulator 8 KiB, and what a user writes 1 MiB.
const [kibibyte, mebibyte] = [1024, 1_000_000];
const [body, lineOrFile] = [60 * kibibyte, 60 * kibibyte];
const [headerField, requestField] = [12 * kibibyte, 6 * kibibyte];

const ofServer = (baseUrl: string, token: string) => ({ baseUrl, token });
const ofProxy = (url: string, password: string) => ({
  baseUrl: "https://api.invalid",
  proxy: url.replace("//", () => `//me:${encodeURIComponent(password)}@`),
  token: "Zq8XvK2m-Zq8XvK2m",
});

/** Text in a header, which carries bytes; another control character than a tab ends it. */
const bytesIn = (text: string): string =>
  Buffer.from(text)
    .toString("latin1")
    .replace(/[^\t -~\x80-\xff]/g, " ");
const base64url = (text: string): string => Buffer.from(text).toString("base64url").slice(0, 2_000);

const field = (line: string, status = "401 No"): ResponsePlace => [
  `the field ${line}`,
  headerField,
  (text) => answer(status, '{"code":401,"message":"No"}', [line.replace("*", () => bytesIn(text))]),
  ofServer,
];
const message = (
  title: string,
  bodyOf: (text: string) => string,
  status = "401 No",
  type = "application/json",
): ResponsePlace => [
  title,
  body,
  (text) => answer(status, bodyOf(text), [`Content-Type: ${type}`]),
  ofServer,
];
const page = (title: string, bodyOf: (text: string) => string, status?: string): ResponsePlace =>
  message(title, bodyOf, status, "text/html");
const connect = (title: string, status: string, line?: string): ResponsePlace => [
  `a proxy's ${title}`,
  headerField,
  (text) => {
    const written = (part: string) => part.replace("*", () => bytesIn(text));
    return answer(written(status), "", line === undefined ? [] : [written(line)]);
  },
  ofProxy,
];

/** Where a rule may read the text of a server or a proxy, which may send the secret back. */
export const responsePlaces: readonly ResponsePlace[] = [
  ["the reason in the status line", headerField, (text) => answer(`401 ${bytesIn(text)}`, "{}"), ofServer],
  ["the status line", headerField, (text) => Buffer.from(`HTTP/1.1 ${text}\r\n\r\n`), ofServer],
  field("WWW-Authenticate: *"),
  field('WWW-Authenticate: WSSE realm="*"'),
  field("Retry-After: *", "503 No"),
  field("Date: *"),
  field("Age: *"),
  field("Cache-Status: *", "200 OK"),
  field("X-Cache: HIT *", "200 OK"),
  field("X-Amzn-ErrorType: *", "403 No"),
  field("X-Request-Id: *"),
  field("Location: /login/*", "302 Found"),
  field("Location: /login?*", "302 Found"),
  field("Location: https://*", "302 Found"),
  field("Location: https://*@other.example/", "302 Found"),
  field("Location: http://127.0.0.1:1/*", "302 Found"),
  field('Refresh: 0; url="/login/*"'),
  field("Content-Type: *"),
  field("Content-Type: text/*", "404 No"),
  field("Content-Encoding: *", "200 OK"),
  field("Transfer-Encoding: *", "200 OK"),
  field("Server: *", "403 No"),
  [
    "the name of a field",
    headerField,
    (text) => answer("401 No", "{}", [`x-${/^[\w-]*$/.test(text) ? text : base64url(text)}: x`]),
    ofServer,
  ],
  message("a message in JSON", (text) => JSON.stringify({ code: 401, message: text })),
  message("a message in JSON that is not escaped", (text) => `{"code":401,"message":"${text}"}`),
  message("a nested message in JSON", (text) => JSON.stringify({ errors: [{ detail: text }] }), "400 No"),
  message("a message of a success", (text) => JSON.stringify({ code: 200, message: text }), "200 OK"),
  message("a code and a key in JSON", (text) => JSON.stringify({ code: text, [text]: text })),
  message("a body that should be JSON", (text) => text),
  page("a page", (text) => `<!doctype html><html><p>${text}</p>`, "404 No"),
  page("the title of a page", (text) => `<html><title>${text}</title></html>`),
  page("a title that does not end", (text) => `<title>Sign in ${text}`),
  page("what precedes a page", (text) => `${text}<html><title>No</title></html>`),
  message("a plain body", (text) => `No ${text}`, "403 No", "text/plain"),
  ["a body in UTF-16", body / 2, (text) => answer("401 No", Buffer.from(text, "utf16le")), ofServer],
  [
    "a body that is cut off",
    body,
    (text) => Buffer.from(`HTTP/1.1 401 No\r\nContent-Length: 9999999\r\n\r\n{"message":"${text}`),
    ofServer,
  ],
  connect("reason", "407 *"),
  connect("Proxy-Authenticate", "407 No", "Proxy-Authenticate: *"),
  connect("X-Squid-Error", "503 No", "X-Squid-Error: *"),
  ["a proxy's first bytes", headerField, (text) => Buffer.from(text), ofProxy],
];

/** A server that answers every account that names it with a response made of the text. */
const responding = ([title, longest, bytesOf, accountOf]: ResponsePlace): Place => [
  title,
  longest,
  async () => {
    let bytes: Uint8Array = Buffer.alloc(0);
    const { url } = await answering((socket) => socket.end(bytes));
    return (text, format) => {
      bytes = bytesOf(text);
      return meetLines(accountOf(url, planted.token, text), format);
    };
  },
];

const certificate: Place = [
  "names in a certificate",
  4 * kibibyte,
  async () => async (text, format) => {
    const names = [`DNS:${text.replace(/[^!-~]/g, "~")}`, "DNS:other.example"];
    const identity = signed({ commonName: "hostile.example", names });
    const peer = await securing(identity, sends(answer("200 OK", successText)));
    return meetLines({ baseUrl: peer.url, token: planted.token }, format, trusting());
  },
];

const line = (title: string, lineOf: (text: string) => object | string): Place => [
  `a line of --accounts: ${title}`,
  lineOrFile,
  async () => (text, format) => meetLines(lineOf(text), format),
];

const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;
/** A row of CSV, and a column that its header has beside the others. */
const row = (
  title: string,
  rowOf: (text: string) => string,
  columnOf = (_: string): string => "Notes",
): Place => [
  `a row of --accounts: ${title}`,
  lineOrFile,
  async () => (text, format) => meetRows(rowOf(text), columnOf(text), format),
];

/** The command that reads all settings and checks nothing. */
const config = ["config"] as const;

/** An rc file that the program finds in the folder of a checkout. */
const found = (title: string, contentOf: (text: string) => string, command?: readonly string[]): Place => [
  `a found rc file${command ? ` for ${command[0]}` : ""}: ${title}`,
  lineOrFile,
  async () => async (text, format) => {
    const files = { "work/.referralrc": contentOf(text) };
    const environment = await variables(format);
    return { ...(await meet({ files, environment, command }, format)), othersAccepted: true };
  },
];
/** One whose text only YAML's parser reads: it repeats a mark behind a beginning. */
const yaml = (start: string, mark: string, end = ""): Place =>
  found(
    JSON.stringify(`${start}${mark}${mark}${end}`),
    ({ length }) => `${start}${mark.repeat(length / mark.length)}${end}`,
    config,
  );

/** An rc file that --config names. */
const named = (title: string, contentOf: (text: string) => string): Place => [
  `a named rc file: ${title}`,
  mebibyte,
  async () => async (text, format) => {
    const given = { files: { named: contentOf(text) }, command: ["config", "--config", "../named"] };
    return { ...(await meet(given, format)), othersAccepted: true };
  },
];

/** The user's own rc file, with two more profiles. */
const own = (title: string, longest: number, profileOf: (text: string) => object): Place => [
  `your rc file: ${title}`,
  longest,
  async () => async (text, format) => {
    const { before, after } = await good(format);
    const profiles = { before, ...profileOf(text), after };
    const files = { ".referralrc": JSON.stringify({ profiles }), output: text };
    return meet({ files, args: ["--all"] }, format);
  },
];

const variable = (names: readonly string[], command?: readonly string[]): Place => [
  `the variable ${names.join(", ")}${command ? ` for ${command[0]}` : ""}`,
  // Linux: the longest text of one variable.
  120 * kibibyte,
  async () => async (text, format) => {
    const hostile = names.map((name) => [name.replace("*", () => text), text]);
    const environment = { ...(await variables(format)), ...Object.fromEntries(hostile) };
    return { ...(await meet({ files: {}, environment, command }, format)), othersAccepted: true };
  },
];

type Steering = RequestOptions & { readonly body?: string };

const emulated = (title: string, requestOf: (text: string) => Steering, longest = requestField): Place => [
  `a request to the emulator: ${title}`,
  longest,
  async () => {
    const { url, log } = await emulate({ control: true });
    const status = ({ body, ...options }: Steering): Promise<number | undefined> =>
      new Promise((resolve) => {
        const sent = request(url, { path: "/test-authentication", ...options }, (answered) =>
          answered.resume().once("end", () => resolve(answered.statusCode)),
        );
        sent.once("error", () => resolve(undefined)).end(body);
      });
    return async (text) => {
      // Node's client refuses to send other characters.
      await status(requestOf(text.replace(/[^!-~]/g, "~")));
      const accepted = await status({ headers: { "x-auth-token": planted.token } });
      return { exitCode: 0, shown: log.join("\n"), othersAccepted: accepted === 200 };
    };
  },
];
/** A list of answers that a client plans. */
const planned = (title: string, listOf: (text: string) => unknown): Place =>
  emulated(
    `an answer to plan: ${title}`,
    (text) => ({ method: "PUT", path: "/__emulator/answers", body: JSON.stringify(listOf(text)) }),
    mebibyte,
  );

/** Keys of an object, as many as that, each of which begins like the text. */
const keys = (text: string, count: number, value = "1"): string =>
  Array.from({ length: count }, (_, at) => `,${JSON.stringify(text.slice(0, 16) + at)}:${value}`).join("");
/** The secret, and keys of 200 characters that are parts of the text: a reader of names may search each. */
export function longKeys(text: string): Readonly<Record<string, unknown>> {
  const parts = Array.from({ length: text.length / 220 }, (_, at) => text.slice(220 * at, 220 * at + 190));
  return { message: planted.token, ...Object.fromEntries(parts.map((part, at) => [part + at, 1])) };
}
// All fields in which a server may write its words, and all that may nest them.
const wordFields =
  "message error_description detail description replyText errorMessage msg reason error title faultstring".split(
    " ",
  );
const nestingFields = "error errors details detail data meta messages fault".split(" ");
/** As many parts of the text, one in each place where a server may write its words. */
export function allTexts(text: string): Readonly<Record<string, unknown>> {
  const length = Math.floor(text.length / wordFields.length / (nestingFields.length + 1)) - 16;
  let next = 0;
  const filled = () =>
    Object.fromEntries(wordFields.map((name) => [name, text.slice(length * next++, length * next)]));
  return { ...filled(), ...Object.fromEntries(nestingFields.map((name) => [name, filled()])) };
}
/** As many profiles of an rc file. */
const profiles = (text: string, value: string): string =>
  `{"profiles":{"p":&p {}${keys(text, text.length / 32, value)}}}`;
const settings = "BASE_URL TOKEN USERNAME SECRET DIGEST TIMEOUT CA_CERT PROFILE TOKE*".split(" ");
const withToken = { baseUrl: "http://127.0.0.1:1", token: planted.token };

/** Every place. */
export const places: readonly Place[] = [
  ...[
    ...responsePlaces,
    message("arrays in arrays in JSON", ({ length }) => {
      const depth = Math.floor(length / 4);
      return `{"code":401,"message":${"[".repeat(depth)}${"]".repeat(depth)}}`;
    }),
    message("many keys in JSON", (text) => `{"code":401${keys(text, text.length / 32)}}`),
    message("the secret and long keys in JSON", (text) => JSON.stringify(longKeys(text))),
    message("all texts of JSON at once", (text) => JSON.stringify(allTexts(text))),
  ].map(responding),
  responding([
    "a message that nearly repeats a long token",
    body,
    (text) => answer("401 No", JSON.stringify({ message: text.replaceAll(planted.token, "-") })),
    (baseUrl, _, text = "") => {
      const part = text.slice(0, text.length / 56).replace(/[^!-~]/g, "~");
      return { baseUrl, token: `${part}b${part}` };
    },
  ]),
  certificate,
  line("the whole line", (text) => text.replaceAll("\n", " ")),
  line(
    "nested objects",
    ({ length }) => `{"profile":"x","a":${'{"a":'.repeat(length / 6)}1${"}".repeat(length / 6)}}`,
  ),
  line(
    "many keys",
    (text) => `{"profile":${JSON.stringify(text.slice(0, text.length / 8))}${keys(text, text.length / 32)}}`,
  ),
  line("the profile", (text) => ({ ...withToken, profile: text })),
  line("the base URL", (text) => ({ baseUrl: `https://${text}`, token: planted.token })),
  line("the proxy", (text) => ({ baseUrl: "https://api.invalid", proxy: text, token: planted.token })),
  line("the token", (text) => ({ ...withToken, token: text })),
  line("the username", (text) => ({ baseUrl: "http://127.0.0.1:1", username: text, secret: planted.secret })),
  // Of several lines it would be several accounts, each with a result of its own.
  row("the whole row", (text) => text.replaceAll(/[\r\n]/g, " ")),
  row("the name", (text) => `${quoted(text)},${planted.token}`),
  row("the token", (text) => `x,${quoted(text)}`),
  row("the username", (text) => `x,,,${quoted(text)},${planted.secret}`),
  row("a cell that is ignored", (text) => `x,${planted.token},,,,${quoted(text)}`),
  row("many cells", ({ length }) => `x,${planted.token}${",a".repeat(length / 2)}`),
  // A name of several lines can hold rows, and ends the run.
  row(
    "a column's name",
    () => `x,${planted.token},,,,`,
    (text) => quoted(text.slice(0, text.length / 3).replaceAll("\n", " ")),
  ),
  found("the whole file", (text) => text),
  found("the proxy", (text) => JSON.stringify({ proxy: text })),
  found("a profile", (text) => JSON.stringify({ profiles: { [text]: { [text]: text } } })),
  found("the base URL", (text) => JSON.stringify({ baseUrl: `https://a/${text}` }), config),
  found("the proxy", (text) => JSON.stringify({ proxy: text }), config),
  found("many profiles", (text) => profiles(text, "{}"), config),
  yaml("", "\\\n"),
  yaml("", "]"),
  yaml("", "? "),
  yaml("", "- "),
  yaml("", "- a\n"),
  yaml("", "- &a b\n"),
  yaml("", "! "),
  yaml("", "%\n"),
  yaml("", ":\n"),
  yaml("", "b ", ": c"),
  yaml("[", "["),
  yaml("[", ","),
  yaml("{", "a,", "}"),
  yaml('"', "\\q"),
  yaml("token: ", "b\n  "),
  yaml("token: '", "''", "'"),
  yaml("token: >\n", " x\n\n"),
  yaml("a: &a x\nb:\n", "- *a\n"),
  yaml("$schema: !", "%41", " b"),
  named("the whole file", (text) => text),
  named("wrong escapes", ({ length }) => `"${"\\q".repeat(length / 2)}`),
  named("references to one anchor", (text) => profiles(text, " *p")),
  named("many profiles", (text) => profiles(text, "{}")),
  // JSON writes some characters in six, and the text stands there twice: the file keeps below 1 MiB.
  own("a profile", mebibyte / 16, (text) => ({ [text]: { ...withToken, proxy: text } })),
  own("a secret command's output", 64 * kibibyte, () => ({
    x: { baseUrl: "http://127.0.0.1:1", tokenCommand: ["cat", "output"] },
  })),
  own("a file of certificates", mebibyte, () => ({
    x: { ...withToken, baseUrl: "https://127.0.0.1:1", caCert: "output" },
  })),
  ...["REFERRAL_PROXY", "HTTP_PROXY", "NO_PROXY", "REFERRAL_USERNAME", "REFERRAL_SECRET", "REFERRAL_*"].map(
    (name) => variable([name]),
  ),
  variable(
    settings.map((name) => `REFERRAL_${name}`),
    config,
  ),
  emulated("the path", (text) => ({ path: `/${text}` })),
  emulated("X-Auth-Token", (text) => ({ headers: { "x-auth-token": text } })),
  emulated("X-WSSE", (text) => ({ headers: { "x-wsse": text } })),
  emulated("the UsernameToken", (text) => ({ headers: { "x-wsse": `UsernameToken Username="${text}"` } })),
  emulated("its other parts", (text) => ({
    headers: {
      "x-wsse": `UsernameToken Username="a", PasswordDigest="${text}", Nonce="${text}", Created="${text}"`,
    },
  })),
  emulated("Authorization", (text) => ({ headers: { authorization: `WSSE ${text}` } })),
  emulated("Host", (text) => ({ headers: { host: text } })),
  emulated("Origin", (text) => ({ headers: { origin: text } })),
  planned("the whole list", (text) => text),
  planned("a key", (text) => [{ [text]: 1 }]),
  planned("the name of a field", (text) => [{ headers: { [text]: "1" } }]),
];
