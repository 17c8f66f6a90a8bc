import { once } from "node:events";
import { type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from "node:http";
import { request as secureRequest } from "node:https";
import { connect } from "node:net";
import { expect, onTestFinished, vi } from "vitest";
import { buildProgram } from "../../src/app.ts";
import { type EmulatorAccount, knownAccounts } from "../../src/emulator/accounts.ts";
import { type Judgement, reasonText } from "../../src/emulator/answer.ts";
import type { Service } from "../../src/emulator/credentials.ts";
import { type Emulator, openGiven } from "../../src/emulator/emulator.ts";
import { judgeRequest } from "../../src/emulator/judge.ts";
import type { EmulatorOptions } from "../../src/emulator/options.ts";
import type { EmulatorRequest } from "../../src/emulator/request.ts";
import { Interrupted } from "../../src/errors.ts";
import type { Context } from "../../src/system/context.ts";
import { type DigestAlgorithm, defaultAlgorithm, passwordDigest } from "../../src/wsse/digest.ts";
import { usernameToken, type WsseInput, wsseValue } from "../../src/wsse/header.ts";
import { contextOf } from "../support/run.ts";

/** The time on the clock of these tests. */
export const now = Date.UTC(2026, 10, 21, 3, 31, 0);

export const credentials = {
  token: "0123456789abcdef0123456789abcdef01234567",
  username: "me@example.com",
  secret: "fedcba9876543210fedcba9876543210fedcba98",
};

const others = { profile: null, authorization: "none" } as const;
/** The account of these tests as the server knows it. */
export const known: EmulatorAccount = { ...credentials, ...defaultAlgorithm, ...others };

/** Random bytes that are all the same. */
export const randomBytes = (size: number): Uint8Array => Buffer.alloc(size, 0xab);
export const nonce = randomBytes(20);

/** Requests with these header fields. */
export const withWsse = (...values: string[]): EmulatorRequest["headers"] => ({ "x-wsse": values });
export const withToken = (...values: string[]): EmulatorRequest["headers"] => ({ "x-auth-token": values });

/** The body of a request without one. */
export const noBody = Buffer.of();

/** A server that nobody steers, without its accounts and nonces. */
export const unsteered = {
  ...{ allowHosts: [], basePath: "", strict: false, explain: false, control: false },
  ...{ answer: null, answers: [], requests: [] },
};

/** The judgement of a request, by default to the endpoint, on the clock of these tests, for the known account with these changes. */
export function judgementOf(
  request: Partial<EmulatorRequest>,
  changes: Partial<EmulatorAccount & Service> = {},
): Judgement {
  const { accounts = knownAccounts([{ ...known, ...changes }]) } = changes;
  const service = { ...unsteered, nonces: new Set<string>(), ...changes, accounts };
  const { path = "/test-authentication" } = request;
  const own = { path, target: path, hosts: ["localhost:1"], address: "127.0.0.1", port: 1, isSecure: false };
  return judgeRequest(
    { ...own, method: "GET", headers: {}, sentNames: new Map(), ...request },
    noBody,
    service,
    now / 1000,
  );
}

/** Its status and reasons, for these headers. */
export function verdict(
  headers: EmulatorRequest["headers"],
  changes?: Parameters<typeof judgementOf>[1],
): string {
  const { status, reasons } = judgementOf({ headers }, changes);
  return `${status} ${reasonText(reasons)}`;
}

/** A request with this nonce and time as they stand, and the right digest. */
export function headerWith(
  nonce: string,
  created: string,
  given: Partial<DigestAlgorithm> = {},
): EmulatorRequest["headers"] {
  const { username, secret } = credentials;
  const sent = passwordDigest({ ...defaultAlgorithm, ...given, nonce, created, secret });
  return withWsse(wsseValue({ username, passwordDigest: sent, nonce, created }));
}

/** An emulator of these credentials on the clock of these tests, until the test is finished, and the lines of its log. */
export async function startTestEmulator(
  options: EmulatorOptions = {},
): Promise<Emulator & { readonly log: readonly string[] }> {
  const log: string[] = [];
  const all = { accounts: [credentials], log: (line: string) => void log.push(line), ...options };
  const emulator = await openGiven(all, { randomBytes, now: () => now });
  onTestFinished(() => emulator.close());
  return Object.assign(emulator, { log });
}

let count = 0;

/** The value of an X-WSSE header that the emulator accepts, with a new nonce unless one is given. */
export function wsse(changes: Partial<WsseInput> = {}): string {
  count += 1;
  const nonce = Buffer.alloc(20);
  nonce.writeUInt32BE(count);
  const { username, secret } = credentials;
  return wsseValue(usernameToken({ username, secret, ...defaultAlgorithm, now, nonce, ...changes }));
}

/** Sends one request on a connection of its own. */
export async function send(
  url: string,
  sent: {
    readonly method?: string;
    readonly path?: string;
    readonly headers?: OutgoingHttpHeaders;
    readonly body?: string | Buffer;
    readonly ca?: string;
  } = {},
): Promise<{ readonly status: number; readonly headers: IncomingHttpHeaders; readonly body: string }> {
  const { method = "GET", path = "/test-authentication", headers = {}, body: sentBody, ca } = sent;
  const start = url.startsWith("https:") ? secureRequest : request;
  const outgoing = start(`${url}${path}`, { method, headers, agent: false, ca }).end(sentBody);
  const [incoming] = await once(outgoing, "response");
  let body = "";
  for await (const chunk of incoming.setEncoding("latin1")) body += chunk;
  return { status: incoming.statusCode, headers: incoming.headers, body };
}

/** The header of an accepted request, and those of three. */
export const token = { "X-Auth-Token": credentials.token };
export const three = [token, token, token] as const;

/** Sends each of these headers to the endpoint, one after the other. */
export async function statuses({ url }: { url: string }, ...sent: OutgoingHttpHeaders[]): Promise<number[]> {
  const received: number[] = [];
  for (const headers of sent) received.push((await send(url, { headers })).status);
  return received;
}

/** Writes bytes, and resolves with all that the server answers until it closes the connection. */
export async function raw(port: number, bytes: string | Uint8Array): Promise<string> {
  let received = "";
  const socket = connect(port, "127.0.0.1").setEncoding("latin1");
  // A server that closes before it has read everything resets the connection after its answer.
  socket.on("error", () => {}).on("data", (chunk) => (received += chunk));
  socket.write(bytes);
  await new Promise((resolve) => socket.once("close", resolve));
  return received;
}

/** A request with the valid token as text; PORT in it stands for the port. */
export const get = (
  port: number,
  lines: readonly string[] = ["Host: 127.0.0.1:PORT"],
  target = "/test-authentication",
): string =>
  [`GET ${target} HTTP/1.1`, ...lines, `X-Auth-Token: ${credentials.token}`, "Connection: close", "", ""]
    .join("\r\n")
    .replaceAll("PORT", String(port));

/** The status of a raw answer. */
export const statusOf = (answer: string): number => Number(/^HTTP\/1\.1 (\d{3}) /.exec(answer)?.[1]);

/** Starts `emulator` in this process. Returns what it has written so far, and a promise of the exit codes it chose. */
export function startRun(args: readonly string[], changes: Partial<Context> = {}) {
  const interruption = new AbortController();
  const environment = { PATH: process.env.PATH ?? "" };
  const words = ["emulator", ...args];
  const own = contextOf(words, { now, interrupted: interruption.signal, environment });
  const context: Context = { ...own, ...changes };
  const codes: number[] = [];
  const exitWith = (code: number): void => void codes.push(code);
  const program = buildProgram(context, exitWith, () => {});
  const ended = program.parseAsync(words, { from: "user" }).then(() => codes);
  ended.catch(() => {});
  return {
    ended,
    interrupt: (signal: "SIGINT" | "SIGTERM") => interruption.abort(new Interrupted(signal)),
    stdout: () => own.stdout.text,
    stderr: () => own.stderr.text,
  };
}

/** Resolves when the condition holds; rejects if it never does. */
export async function until(condition: () => boolean): Promise<void> {
  await vi.waitUntil(condition, { timeout: 25_000, interval: 5 });
}

/** Starts `emulator` without a command, and resolves when it listens. `stop` interrupts it, and expects that this ends it. */
export async function listening(args: readonly string[], changes: Partial<Context> = {}) {
  const run = startRun(args, changes);
  await until(() => run.stdout() !== "");
  const printed = [...run.stdout().matchAll(/^export (\w+)='(.*)'$/gm)];
  const variables = Object.fromEntries(printed.map(([, name, value = ""]) => [name, value]));
  const document = printed.length > 0 ? null : JSON.parse(run.stdout());
  const url: string = variables.REFERRAL_BASE_URL ?? document.url;
  async function stop(signal: "SIGINT" | "SIGTERM" = "SIGINT"): Promise<readonly string[]> {
    run.interrupt(signal);
    await expect(run.ended).rejects.toMatchObject({ name: "Interrupted", signal });
    return run.stderr().split("\n").slice(0, -1);
  }
  return { ...run, variables, document, url, stop };
}
