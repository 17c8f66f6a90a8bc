// An emulator of the API, for the command and for `startEmulator`: it checks the options, listens, and hands out what tests
// steer.

import { X509Certificate } from "node:crypto";
import { createSecureContext } from "node:tls";
import { errorCode, InputError, wrongSettings } from "../errors.ts";
import { fieldsNamed, type Giver, program } from "../options/readers.ts";
import { isLoopbackAddress, shownHost } from "../system/addresses.ts";
import type { Context } from "../system/context.ts";
import { accountKeys, completeAccount, type EmulatorAccount, knownAccounts } from "./accounts.ts";
import type { Service } from "./credentials.ts";
import type { ReceivedRequest } from "./log.ts";
import { type AllOptions, type EmulatorOptions, emulatorOptions, readOptions } from "./options.ts";
import { type PlannedAnswer, readAnswers } from "./planned-answers.ts";
import { listen } from "./server.ts";

export type { EmulatorAccount, PartialAccount } from "./accounts.ts";
export type { Reason } from "./answer.ts";
export type { ReceivedRequest } from "./log.ts";
export type { EmulatorOptions } from "./options.ts";
export type { PlannedAnswer } from "./planned-answers.ts";

/** A running emulator. */
export interface Emulator {
  /** The base URL by which clients on this machine reach it. */
  readonly url: string;
  readonly port: number;
  /** The accounts that it accepts. Parts that were not given are filled in at random. */
  readonly accounts: readonly [EmulatorAccount, ...EmulatorAccount[]];
  /** The last 1,000 requests, the oldest first. */
  readonly requests: readonly ReceivedRequest[];
  /**
   * Answers the next requests with these, in this order, before what the option `answer` says. Replaces an earlier list. Throws
   * InputError, which names the place, and changes nothing if one is invalid.
   */
  answers(list: readonly PlannedAnswer[]): void;
  /** The planned answers that no request has used up yet. */
  readonly answersLeft: readonly PlannedAnswer[];
  /** Forgets all requests, nonces and planned answers. */
  reset(): void;
  /** Ends all connections, and resolves when the port is free. */
  close(): Promise<void>;
  /** The same, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** The host of the URL: the address, or `localhost` if the certificate is for that name and not for this loopback address. */
function hostFor(cert: string | null, address: string): string {
  const certificate = cert === null || !isLoopbackAddress(address) ? null : new X509Certificate(cert);
  const isForName = certificate?.checkHost("localhost") && !certificate.checkIP(address);
  return isForName ? "localhost" : shownHost(address);
}

/** Throws InputError if a server cannot speak TLS with this certificate and this key. */
export function checkPair({ cert, key }: Pick<AllOptions, "cert" | "key">, { kind, nameOf }: Giver): void {
  if (cert === null && key === null) return;
  const both = `${nameOf("cert")} and ${nameOf("key")}`;
  if (key === null || cert === null)
    throw new InputError(kind, `Of ${both}, one is missing`, "Give both or none");
  try {
    createSecureContext({ cert, key });
  } catch (error) {
    // Which keys are too short differs between versions of OpenSSL.
    throw new InputError(
      kind,
      `OpenSSL does not serve TLS with ${both} (${errorCode(error) ?? "unknown"})`,
      "Give a certificate and its own private key without a passphrase, both in PEM; RSA has 2048 bits or more",
    );
  }
}

/** Starts an emulator of these accounts; `now` gives milliseconds. Rejects with InputError without an account or a port. */
export async function openEmulator(
  options: AllOptions,
  [first, ...others]: readonly EmulatorAccount[],
  now: () => number,
): Promise<Emulator> {
  if (first === undefined)
    throw wrongSettings("accounts is empty", "Leave it out to get an account with random credentials");
  const accounts = [first, ...others] as const;
  const service: Service = {
    ...options,
    accounts: knownAccounts(accounts),
    nonces: new Set(),
    requests: [],
    answers: [],
  };
  const { requests } = service;
  const { port, close } = await listen(service, options, now);
  // These mean every address of the machine, and a client cannot connect to them.
  const reached = { "0.0.0.0": "127.0.0.1", "::": "::1" }[options.host] ?? options.host;
  return {
    url: `${options.cert === null ? "http" : "https"}://${hostFor(options.cert, reached)}:${port}${options.basePath}`,
    port,
    accounts,
    requests,
    answers(list) {
      service.answers = readAnswers(list, service.accounts);
    },
    get answersLeft() {
      return [...service.answers];
    },
    reset() {
      requests.length = 0;
      service.nonces.clear();
      service.answers = [];
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Starts an emulator with the options of a program. Rejects with InputError also for an option that is invalid or unknown. */
export async function openGiven(
  given: EmulatorOptions,
  { randomBytes, now }: Pick<Context, "randomBytes" | "now">,
): Promise<Emulator> {
  const shape = "startEmulator({ accounts: [{ username, secret }] })";
  const parts = accountKeys.filter((key) => !(key in emulatorOptions) && Object(given)[key] !== undefined);
  if (parts.length > 0)
    throw wrongSettings(`options has no field "${parts[0]}"`, `Write accounts: [{ ${parts.join(", ")} }]`);
  const all = readOptions(fieldsNamed(Object.keys(emulatorOptions), "options", given, shape), program);
  checkPair(all, program);
  const accounts = all.accounts.map((account, index) => {
    const place = `accounts[${index}]`;
    const giver = { ...program, nameOf: (part: string) => `${place}.${part}` };
    return completeAccount(fieldsNamed(accountKeys, place, account), all, randomBytes, giver);
  });
  return openEmulator(all, accounts, now);
}
