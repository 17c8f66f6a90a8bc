import { chmodSync, readdirSync, readFileSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { answer, successText as body } from "../faults/answers.ts";
import { signed, trusting } from "../faults/authority.ts";
import { answering, securing, sends } from "../faults/peers.ts";
import { emulate } from "../support/emulate.ts";
import { folderWith } from "../support/folder.ts";
import { planted } from "../support/planted.ts";
import { type Given, type Run, runInProcess } from "../support/run.ts";
import { json, serve, success } from "../support/serve.ts";

/** How a run shows its result, and what runs it. */
export interface Format {
  readonly args: readonly string[];
  readonly inJob?: boolean;
  readonly run?: (args: readonly string[], given: Given) => Promise<Run>;
  /** Called with the request of the last account, which gets no response then. */
  readonly onLast?: () => void;
}
/** What a hostile text came to: the exit code, everything that was shown, and whether all others kept their verdicts. */
export interface Result {
  readonly exitCode: number;
  readonly shown: string;
  readonly othersAccepted: boolean;
}
/** Puts a text in its place and lets the program meet it. */
export type Attack = (text: string, format: Format) => Promise<Result>;
/** A place where text of others enters, and the longest text that is tried there: about what the place holds. */
export type Place = readonly [title: string, longest: number, start: () => Promise<Attack>];

// A body and a line may have 1 MiB, with what is around the text.
const [kibibyte, mebibyte] = [1024, 1_000_000];
/** The header of a response may have 16 KiB, that of a request to the emulator 8 KiB. */
const [headerField, requestField] = [12 * kibibyte, 6 * kibibyte];

const refusal = { code: 401, message: "No" };

/** The files and the environment of a run, and more arguments. Accounts called `before` and `after` must be accepted. */
interface Prepared extends Pick<Given, "environment"> {
  readonly files: Readonly<Record<string, unknown>>;
  readonly args: readonly string[];
}

/** Runs `test` in `work`, a folder in the home folder, and collects what it shows on its streams and in files. */
async function meet({ files, args, environment }: Prepared, format: Format): Promise<Result> {
  const homeFolder = folderWith({ ...files, "work/report.xml": "" });
  const workingFolder = join(homeFolder, "work");
  const found = readdirSync(workingFolder).filter((file) => file !== "report.xml");
  // As in a clone: others can read it.
  for (const file of found) chmodSync(join(workingFolder, file), 0o644);
  const summary = { GITHUB_ACTIONS: "true", GITHUB_STEP_SUMMARY: join(workingFolder, "summary.md") };
  const { run: start = runInProcess, inJob = false } = format;
  const run = await start(["test", "--timeout", "5", "--junit", "report.xml", ...args, ...format.args], {
    homeFolder,
    workingFolder,
    environment: { ...environment, ...(inJob && summary) },
  });
  const reports = readdirSync(workingFolder).filter((file) => !found.includes(file));
  const texts = reports.map((file) => readFileSync(join(workingFolder, file), "utf8"));
  const accepted = texts.join("").match(/<testcase classname="referral-auth\.(?:before|after)" [^>]*\/>/g);
  return {
    exitCode: run.exitCode,
    shown: [run.everything, ...texts].join("\n"),
    othersAccepted: accepted?.length === 2,
  };
}

/** Accounts that their server accepts. */
async function good({ onLast }: Format) {
  const api = await serve(({ url, headers }, response) => {
    if (onLast && url?.startsWith("/after")) return onLast();
    const isKnown = headers["x-auth-token"] === planted.token;
    return json(response, isKnown ? 200 : 401, isKnown ? success : refusal);
  });
  const account = (name: string) => ({ baseUrl: `${api.url}/${name}`, token: planted.token });
  return { before: account("before"), after: account("after") };
}

/** The environment of a run that checks one account. */
async function variables(format: Format) {
  const { before } = await good(format);
  return { REFERRAL_BASE_URL: before.baseUrl, REFERRAL_TOKEN: before.token };
}

/** Two hostile lines of `--accounts` between two good ones. */
async function meetLines(line: object | string, format: Format, more: readonly string[] = []) {
  const { before, after } = await good(format);
  const lines = [{ profile: "before", ...before }, line, line, { profile: "after", ...after }];
  const text = lines.map((one) => (typeof one === "string" ? one : JSON.stringify(one))).join("\n");
  return meet({ files: { "lines.jsonl": text }, args: ["--accounts", "../lines.jsonl", ...more] }, format);
}

/** A server that answers every account that names it with a response made of the text. */
const response =
  (responseOf: (text: string) => Uint8Array, key = "baseUrl") =>
  async (): Promise<Attack> => {
    let bytes: Uint8Array = Buffer.alloc(0);
    const { url } = await answering((socket) => socket.end(bytes));
    return (text, format) => {
      bytes = responseOf(text);
      return meetLines({ baseUrl: "https://api.invalid", token: planted.token, [key]: url }, format);
    };
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
  response(responseOf, "proxy"),
];

const line = (title: string, lineOf: (text: string) => object | string): Place => [
  `a line of --accounts: ${title}`,
  mebibyte,
  async () => (text, format) => meetLines(lineOf(text), format),
];

/** An rc file that the program finds in the folder of a checkout, or the user's own with two more profiles. */
const found = (title: string, contentOf: (text: string) => string): Place => [
  `a found rc file: ${title}`,
  mebibyte,
  async () => async (text, format) => {
    const files = { "work/.referralrc": contentOf(text) };
    const environment = await variables(format);
    return { ...(await meet({ files, args: [], environment }, format)), othersAccepted: true };
  },
];

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

const variable = (name: string): Place => [
  `the variable ${name}`,
  // Linux: the longest text of one variable.
  120 * kibibyte,
  async () => async (text, format) => {
    const key = name.replace("*", () => text);
    const environment = { ...(await variables(format)), [key]: text };
    return { ...(await meet({ files: {}, args: [], environment }, format)), othersAccepted: true };
  },
];

const emulated = (title: string, requestOf: (text: string) => { path?: string; headers?: object }): Place => [
  `a request to the emulator: ${title}`,
  requestField,
  async () => {
    const { url, log } = await emulate();
    const status = (options: object): Promise<number | undefined> =>
      new Promise((resolve) => {
        const sent = request(url, { path: "/test-authentication", ...options }, (answered) =>
          answered.resume().once("end", () => resolve(answered.statusCode)),
        );
        sent.once("error", () => resolve(undefined)).end();
      });
    return async (text) => {
      // What Node's client refuses to send is left out.
      const sendable = text.replace(/[^!-~]/g, "~");
      await status(requestOf(sendable));
      const accepted = await status({ headers: { "x-auth-token": planted.token } });
      return { exitCode: 0, shown: log.join("\n"), othersAccepted: accepted === 200 };
    };
  },
];

const certificate: Place = [
  "names in a certificate",
  4 * kibibyte,
  async () => async (text, format) => {
    const names = [`DNS:${text.replace(/[^!-~]/g, "~")}`, "DNS:other.example"];
    const peer = await securing(
      signed({ commonName: "hostile.example", names }),
      sends(answer("200 OK", body)),
    );
    return meetLines({ baseUrl: peer.url, token: planted.token }, format, trusting());
  },
];

/** The next keys of an object, as many as that, and each another one. */
const keys = (count: number): string =>
  Array.from({ length: count }, (_, index) => `,"key${index}":1`).join("");

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
  field("Location: *", "302 Found"),
  field("Location: https://other.example/*", "302 Found"),
  field("Content-Type: *"),
  field("Content-Encoding: *", "200 OK"),
  field("Transfer-Encoding: *", "200 OK"),
  field("Server: *", "403 No"),
  message("a message in JSON", "application/json", (text) => JSON.stringify({ code: 401, message: text })),
  message("a key in JSON", "application/json", (text) => JSON.stringify({ code: 401, [text]: text })),
  message("a body that should be JSON", "application/json", (text) => text),
  message("a page", "text/html", (text) => `<!doctype html><html>${text}`),
  message("the title of a page", "text/html", (text) => `<html><title>${text}</title></html>`),
  message("what precedes a page", "text/html", (text) => `${text}<html><title>No</title></html>`),
  message("a plain body", "text/plain", (text) => text),
  certificate,
  connect("reason", (text) => answer(`407 ${text}`, "", [])),
  connect("Proxy-Authenticate", (text) => answer("407 No", "", [`Proxy-Authenticate: ${text}`])),
  connect("X-Squid-Error", (text) => answer("503 No", "", [`X-Squid-Error: ${text}`])),
  connect("first bytes", (text) => Buffer.from(text)),
  line("the whole line", (text) => text),
  line(
    "nested objects",
    ({ length }) => `{"profile":"x","a":${'{"a":'.repeat(length / 6)}1${"}".repeat(length / 6)}}`,
  ),
  line(
    "many keys",
    (text) => `{"profile":${JSON.stringify(text.slice(0, text.length / 8))}${keys(text.length / 32)}}`,
  ),
  line("the profile", (text) => ({ profile: text, baseUrl: "http://127.0.0.1:1", token: planted.token })),
  line("the base URL", (text) => ({ baseUrl: `https://${text}`, token: planted.token })),
  line("the proxy", (text) => ({ baseUrl: "https://api.invalid", proxy: text, token: planted.token })),
  line("the token", (text) => ({ baseUrl: "http://127.0.0.1:1", token: text })),
  line("the username", (text) => ({ baseUrl: "http://127.0.0.1:1", username: text, secret: planted.secret })),
  found("the whole file", (text) => text),
  found("the base URL", (text) => JSON.stringify({ baseUrl: `https://a${text}` })),
  found("the proxy", (text) => JSON.stringify({ proxy: text })),
  found("a profile", (text) => JSON.stringify({ profiles: { [text]: { [text]: text } } })),
  own("a profile", mebibyte, (text) => ({
    [text]: { baseUrl: "http://127.0.0.1:1", token: planted.token, proxy: text },
  })),
  own("a secret command's output", 64 * kibibyte, () => ({
    x: { baseUrl: "http://127.0.0.1:1", tokenCommand: ["cat", "output"] },
  })),
  variable("REFERRAL_PROXY"),
  variable("HTTP_PROXY"),
  variable("NO_PROXY"),
  variable("REFERRAL_USERNAME"),
  variable("REFERRAL_SECRET"),
  variable("REFERRAL_*"),
  emulated("the path", (text) => ({ path: `/${text}` })),
  emulated("X-WSSE", (text) => ({ headers: { "x-wsse": text } })),
  emulated("the UsernameToken", (text) => ({ headers: { "x-wsse": `UsernameToken Username="${text}"` } })),
  emulated("Authorization", (text) => ({ headers: { authorization: `WSSE ${text}` } })),
  emulated("Host", (text) => ({ headers: { host: text } })),
];
