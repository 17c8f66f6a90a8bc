import { InputError } from "../errors.ts";
import { escapeText } from "../report/escape.ts";
import type { AuthorizationMode } from "../wsse/authorization.ts";
import { type ConventionName, defaultAlgorithm, type HashName } from "../wsse/digest.ts";
import {
  accountKeys,
  completeAccount,
  type EmulatorAccount,
  knownAccounts,
  type PartialAccount,
} from "./accounts.ts";
import { windowSeconds } from "./authenticate.ts";
import type { Service } from "./decide.ts";
import { hostOf } from "./hosts.ts";
import { nonceMemory } from "./nonces.ts";
import { logLine } from "./received.ts";
import { listen } from "./server.ts";
import {
  addressOf,
  answerOf,
  type ForcedAnswer,
  hostNameOf,
  type ReceivedRequest,
  wholeNumber,
} from "./values.ts";

/** How an emulator behaves. Every option may be left out. */
export interface EmulatorOptions {
  /** What it accepts. What an account leaves out is random, and so is the one account of an emulator without this option. */
  readonly accounts?: readonly PartialAccount[] | undefined;
  /** The digest convention of the accounts that name none; `text-nonce` by default. */
  readonly digest?: ConventionName | undefined;
  /** The hash of the accounts that name none; `sha1` by default. */
  readonly hash?: HashName | undefined;
  /** What accounts that do not say must send in `Authorization` beside X-WSSE; `none` by default. */
  readonly authorization?: AuthorizationMode | undefined;
  /** Whether to refuse nonces, times and layouts of X-WSSE that the API's specification does not show. */
  readonly strict?: boolean | undefined;
  /** Whether an error tells its reason to the client. */
  readonly explain?: boolean | undefined;
  /** How far the server's clock is ahead, in seconds; a negative number means behind. */
  readonly clockOffsetSeconds?: number | undefined;
  /** How long to wait before each answer, in milliseconds. */
  readonly latencyMs?: number | undefined;
  /** What to answer every request with, whatever its credentials. */
  readonly answer?: ForcedAnswer | null | undefined;
  /** The port to listen on; 0, the default, means any free one. */
  readonly port?: number | undefined;
  /** The IP address to listen on; `127.0.0.1` by default. Others let other machines use this server and its accounts. */
  readonly host?: string | undefined;
  /** Names besides the server's own that `Host` may have, each with or without a port. */
  readonly allowHosts?: readonly string[] | undefined;
  /** Called with a line for each request, without line end, before the request is answered. */
  readonly log?: ((line: string, request: ReceivedRequest) => void) | undefined;
}

/** A running emulator. */
export interface Emulator {
  /** The base URL by which clients on this machine reach it. */
  readonly url: string;
  readonly port: number;
  /** What it accepts, complete with what was random. */
  readonly accounts: readonly [EmulatorAccount, ...EmulatorAccount[]];
  /** The last 1,000 requests, the oldest first. */
  readonly requests: readonly ReceivedRequest[];
  /** Answers every further request with this status or fault; null ends that. */
  answer(kind: ForcedAnswer | null): void;
  /** Forgets all requests and nonces, and answers as at the start. */
  reset(): void;
  /** Ends all connections, and resolves when the port is free. */
  close(): Promise<void>;
}

/** The clock, in milliseconds since the epoch, and the source of random bytes. */
export interface ClockAndRandom {
  now(): number;
  randomBytes(size: number): Uint8Array;
}

/** Every option, with the value that stands for one left out. */
type AllOptions = { readonly [Name in keyof EmulatorOptions]-?: Exclude<EmulatorOptions[Name], undefined> };

const defaults: AllOptions = {
  accounts: [{}],
  ...defaultAlgorithm,
  authorization: "none",
  strict: false,
  explain: false,
  clockOffsetSeconds: 0,
  latencyMs: 0,
  answer: null,
  port: 0,
  host: "127.0.0.1",
  allowHosts: [],
  log: () => {},
};

/** Throws InputError (usage) for an option that does not exist: it would be ignored silently. */
function checkNames(owner: string, given: unknown, known: readonly string[]): void {
  if (typeof given !== "object" || given === null)
    throw new InputError("usage", `${owner}: not an object`, `Use ${known.join(", ")}`);
  const unknown = Object.keys(given).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  throw new InputError("usage", `${owner} has no "${escapeText(unknown)}"`, `Use only ${known.join(", ")}`);
}

const typeOf = (value: unknown): string => (Array.isArray(value) ? "list" : typeof value);

/** Throws InputError (usage) for a list, a function, or true or false in place of each other. Other values are checked where they are used. */
function checkType(name: string, value: unknown): void {
  const wanted = typeOf(defaults[name as keyof AllOptions]);
  if (!["list", "function", "boolean"].includes(wanted) || typeOf(value) === wanted) return;
  throw new InputError("usage", `${name} is not a ${wanted}`, "Leave it out for the default");
}

const mostRequests = 1_000;
const mostNonces = 100_000;

/** Starts an emulator. Rejects with InputError for an option that it cannot use, or a port that it cannot open. */
export async function openEmulator(
  given: EmulatorOptions,
  { now, randomBytes }: ClockAndRandom,
): Promise<Emulator> {
  checkNames("startEmulator", given, Object.keys(defaults));
  const set = Object.entries(given).filter(([, value]) => (value ?? null) !== null);
  for (const [name, value] of set) checkType(name, value);
  const options: AllOptions = { ...defaults, ...Object.fromEntries(set) };
  const { strict, explain, log } = options;
  const host = addressOf(options.host, "host");
  const [first, ...others] = options.accounts.map((account, index) => {
    checkNames(`accounts[${index}]`, account, accountKeys);
    const { digest = options.digest, hash = options.hash } = account;
    const { authorization = options.authorization } = account;
    return completeAccount({ ...account, digest, hash, authorization }, randomBytes, (key) =>
      account[key] === undefined ? key : `accounts[${index}].${key}`,
    );
  });
  if (first === undefined) {
    const hint = "Leave it out to get an account with random credentials";
    throw new InputError("usage", "accounts is empty", hint);
  }
  const accounts = [first, ...others] as const;
  const forcedBy = (kind: ForcedAnswer | null): ForcedAnswer | null =>
    kind === null ? null : answerOf(kind, "answer");
  const service: Service = {
    accounts: knownAccounts(accounts),
    strict,
    nonces: nonceMemory(windowSeconds, mostNonces),
    allowHosts: options.allowHosts.map((name) => hostNameOf(name, "allowHosts")),
    explain,
    forced: forcedBy(options.answer),
  };
  const requests: ReceivedRequest[] = [];
  const { port, close } = await listen({
    service,
    host,
    port: wholeNumber("port", options.port),
    now,
    clockOffsetSeconds: wholeNumber("clockOffsetSeconds", options.clockOffsetSeconds),
    latencyMs: wholeNumber("latencyMs", options.latencyMs),
    received(request) {
      requests.push(request);
      if (requests.length > mostRequests) requests.shift();
      log(logLine(request), request);
    },
  });
  // A client cannot connect to the address that stands for all of them.
  const reached = { "0.0.0.0": "127.0.0.1", "::": "::1" }[host] ?? host;
  return {
    url: `http://${hostOf(reached)}:${port}`,
    port,
    accounts,
    requests,
    answer(kind) {
      service.forced = forcedBy(kind);
    },
    reset() {
      requests.length = 0;
      service.nonces.clear();
      service.forced = forcedBy(options.answer);
    },
    close,
  };
}
