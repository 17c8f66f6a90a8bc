import { answer, successText as body } from "../faults/answers.ts";
import { signed, trusting } from "../faults/authority.ts";
import { answering, securing, sends } from "../faults/peers.ts";
import { planted } from "../support/planted.ts";
import { emulatorPlaces } from "./emulator-places.ts";
import { type Attack, good, meet, meetLines, type Place, refusal, variables } from "./hostile-runs.ts";

// A body and a line may have 1 MiB, with what is around the text. The header of a response may have 16 KiB.
const [kibibyte, mebibyte] = [1024, 1_000_000];
const headerField = 12 * kibibyte;

/** A server that answers every account that names it with a response made of the text. */
const response =
  (
    responseOf: (text: string) => Uint8Array,
    accountOf = (url: string, _text: string): object => ({ baseUrl: url }),
  ) =>
  async (): Promise<Attack> => {
    let bytes: Uint8Array = Buffer.alloc(0);
    const { url } = await answering((socket) => socket.end(bytes));
    return (text, format) => {
      bytes = responseOf(text);
      const account = { baseUrl: "https://api.invalid", token: planted.token };
      return meetLines({ ...account, ...accountOf(url, text) }, format);
    };
  };

const refusalOf = (message: string): Uint8Array => answer("401 No", JSON.stringify({ code: 401, message }));
const unplanted = (text: string): Uint8Array => refusalOf(text.replaceAll(planted.token, "-"));
/** A long token that differs from a part of the text in its middle only. */
const nearly = (baseUrl: string, text: string): object => {
  const part = text.slice(0, text.length / 56).replace(/[^!-~]/g, "~");
  return { baseUrl, token: `${part}b${part}` };
};

const field = (line: string, status = "401 No"): Place => [
  `the field ${line}`,
  headerField,
  response((text) => answer(status, JSON.stringify(refusal), [line.replace("*", () => text)])),
];

const message = (title: string, type: string, bodyOf: (text: string) => string): Place => [
  title,
  mebibyte,
  response((text) => answer("401 No", bodyOf(text), [`Content-Type: ${type}`])),
];

const connect = (title: string, responseOf: (text: string) => Uint8Array): Place => [
  `a proxy's ${title}`,
  headerField,
  response(responseOf, (proxy) => ({ proxy })),
];

const line = (title: string, lineOf: (text: string) => object | string): Place => [
  `a line of --accounts: ${title}`,
  mebibyte,
  async () => (text, format) => meetLines(lineOf(text), format),
];

/** Commands that read all settings, or the names of profiles, and check nothing. */
const [config, complete] = [
  ["config"],
  ["completion", "bash", "--", "referral-auth test --profile ", ""],
] as const;

/** An rc file that the program finds in the folder of a checkout. */
const found = (
  title: string,
  contentOf: (text: string) => string,
  command?: readonly string[],
  // With what is around the text.
  longest = 60 * kibibyte,
): Place => [
  `a found rc file${command ? ` for ${command[0]}` : ""}: ${title}`,
  longest,
  async () => async (text, format) => {
    const files = { "work/.referralrc": contentOf(text) };
    const environment = await variables(format);
    return { ...(await meet({ files, args: [], environment, command }, format)), othersAccepted: true };
  },
];

/** An rc file that --config names. */
const named = (title: string, contentOf: (text: string) => string): Place => [
  `a named rc file: ${title}`,
  mebibyte,
  async () => async (text, format) => {
    const given = {
      files: { named: contentOf(text) },
      args: [],
      command: ["config", "--config", "../named"],
    };
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
    const met = await meet({ files: {}, args: [], environment, command }, format);
    return { ...met, othersAccepted: true };
  },
];

const certificate: Place = [
  "names in a certificate",
  4 * kibibyte,
  async () => async (text, format) => {
    const names = [`DNS:${text.replace(/[^!-~]/g, "~")}`, "DNS:other.example"];
    const identity = signed({ commonName: "hostile.example", names });
    const peer = await securing(identity, sends(answer("200 OK", body)));
    return meetLines({ baseUrl: peer.url, token: planted.token }, format, trusting());
  },
];

/** Keys of an object, as many as that, each of which begins like the text. */
const keys = (text: string, count: number, value = "1"): string =>
  Array.from({ length: count }, (_, at) => `,${JSON.stringify(text.slice(0, 16) + at)}:${value}`).join("");
/** As many profiles of an rc file. */
const profiles = (text: string, value: string): string =>
  `{"profiles":{"p":&p {}${keys(text, text.length / 32, value)}}}`;
const settings = "BASE_URL TOKEN USERNAME SECRET DIGEST TIMEOUT CA_CERT PROFILE TOKE*".split(" ");

/** Every place. */
export const places: readonly Place[] = [
  ["the reason in the status line", headerField, response((text) => answer(`401 ${text}`, "{}"))],
  field("WWW-Authenticate: *"),
  field('WWW-Authenticate: WSSE realm="*"'),
  field("Retry-After: *", "503 No"),
  field("Date: *"),
  field("Age: *"),
  field("Cache-Status: *", "200 OK"),
  field("X-Cache: *", "200 OK"),
  field("X-Amzn-ErrorType: *", "403 No"),
  field("X-Request-Id: *"),
  field("Location: *", "302 Found"),
  field("Location: https://other.example/*", "302 Found"),
  field("Content-Type: *"),
  field("Content-Encoding: *", "200 OK"),
  field("Transfer-Encoding: *", "200 OK"),
  field("Server: *", "403 No"),
  ["a message in JSON", mebibyte, response(refusalOf)],
  message("a key in JSON", "application/json", (text) => JSON.stringify({ code: 401, [text]: text })),
  message("a body that should be JSON", "application/json", (text) => text),
  message("arrays in arrays in JSON", "application/json", ({ length }) => {
    const depth = Math.floor(length / 4);
    return `{"code":401,"message":${"[".repeat(depth)}${"]".repeat(depth)}}`;
  }),
  message("many keys in JSON", "application/json", (text) => `{"code":401${keys(text, text.length / 32)}}`),
  message("a page", "text/html", (text) => `<!doctype html><html>${text}`),
  message("the title of a page", "text/html", (text) => `<html><title>${text}</title></html>`),
  message("what precedes a page", "text/html", (text) => `${text}<html><title>No</title></html>`),
  message("a plain body", "text/plain", (text) => text),
  ["a message that nearly repeats a long token", mebibyte, response(unplanted, nearly)],
  certificate,
  connect("reason", (text) => answer(`407 ${text}`, "", [])),
  connect("Proxy-Authenticate", (text) => answer("407 No", "", [`Proxy-Authenticate: ${text}`])),
  connect("X-Squid-Error", (text) => answer("503 No", "", [`X-Squid-Error: ${text}`])),
  connect("first bytes", (text) => Buffer.from(text)),
  line("the whole line", (text) => text.replaceAll("\n", " ")),
  line(
    "nested objects",
    ({ length }) => `{"profile":"x","a":${'{"a":'.repeat(length / 6)}1${"}".repeat(length / 6)}}`,
  ),
  line(
    "many keys",
    (text) => `{"profile":${JSON.stringify(text.slice(0, text.length / 8))}${keys(text, text.length / 32)}}`,
  ),
  line("the profile", (text) => ({ profile: text, baseUrl: "http://127.0.0.1:1", token: planted.token })),
  line("the base URL", (text) => ({ baseUrl: `https://${text}`, token: planted.token })),
  line("the proxy", (text) => ({ baseUrl: "https://api.invalid", proxy: text, token: planted.token })),
  line("the token", (text) => ({ baseUrl: "http://127.0.0.1:1", token: text })),
  line("the username", (text) => ({ baseUrl: "http://127.0.0.1:1", username: text, secret: planted.secret })),
  found("the whole file", (text) => text),
  found("the base URL", (text) => JSON.stringify({ baseUrl: `https://a${text}` })),
  found("the proxy", (text) => JSON.stringify({ proxy: text })),
  ...[config, complete].flatMap((command) => [
    found("the base URL", (text) => JSON.stringify({ baseUrl: `https://a/${text}` }), command),
    found("the proxy", (text) => JSON.stringify({ proxy: text }), command),
    found("many profiles", (text) => profiles(text, "{}"), command),
    variable(
      settings.map((name) => `REFERRAL_${name}`),
      command,
    ),
    variable(["HTTPS_PROXY", "NO_PROXY", "PATH"], command),
  ]),
  named("the whole file", (text) => text),
  named("references to one anchor", (text) => profiles(text, " *p")),
  named("many profiles", (text) => profiles(text, "{}")),
  found("a profile", (text) => JSON.stringify({ profiles: { [text]: { [text]: text } } })),
  own("a profile", mebibyte, (text) => ({
    [text]: { baseUrl: "http://127.0.0.1:1", token: planted.token, proxy: text },
  })),
  own("a secret command's output", 64 * kibibyte, () => ({
    x: { baseUrl: "http://127.0.0.1:1", tokenCommand: ["cat", "output"] },
  })),
  variable(["REFERRAL_PROXY"]),
  variable(["HTTP_PROXY"]),
  variable(["NO_PROXY"]),
  variable(["REFERRAL_USERNAME"]),
  variable(["REFERRAL_SECRET"]),
  variable(["REFERRAL_*"]),
  ...emulatorPlaces,
];
