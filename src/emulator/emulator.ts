import { X509Certificate } from "node:crypto";
import { wrongSettings } from "../errors.ts";
import { isLoopbackAddress } from "../system/addresses.ts";
import { type EmulatorAccount, knownAccounts } from "./accounts.ts";
import { type Service, windowSeconds } from "./authenticate.ts";
import type { ForcedAnswer, ReceivedRequest } from "./decision.ts";
import { nonceMemory } from "./nonces.ts";
import { type AllOptions, emulatorOptions } from "./options.ts";
import { forcedAnswer, type PlannedAnswer, readAnswers } from "./planned-answers.ts";
import { program, readOption } from "./readers.ts";
import { hostOf } from "./requests.ts";
import { listen } from "./server.ts";

/** The options of an emulator whose accounts are complete. */
export interface CompleteOptions extends Omit<AllOptions, "accounts"> {
  readonly accounts: readonly EmulatorAccount[];
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
  /**
   * Answers the next requests with these, in this order, before what `answer` says. Replaces an earlier list. Throws InputError,
   * which names the place, and changes nothing if one is invalid.
   */
  answers(list: readonly PlannedAnswer[]): void;
  /** Forgets all requests, nonces and answers of `answers`, and answers as at the start. */
  reset(): void;
  /** Ends all connections, and resolves when the port is free. */
  close(): Promise<void>;
}

/** The host of the URL: `localhost` if the certificate is for it and not for the address, which the server listens on. */
function hostFor(cert: string | null, address: string): string {
  if (cert === null || !isLoopbackAddress(address)) return hostOf(address);
  const certificate = new X509Certificate(cert);
  const isForName = certificate.checkHost("localhost") && !certificate.checkIP(address);
  return isForName ? "localhost" : hostOf(address);
}

const mostNonces = 100_000;

/**
 * Starts an emulator. `now` gives milliseconds since the epoch. Rejects with InputError (settings) if it has no account, or a port
 * that it cannot open.
 */
export async function openEmulator(options: CompleteOptions, now: () => number): Promise<Emulator> {
  const [first, ...others] = options.accounts;
  if (first === undefined) {
    const hint = "Leave it out to get an account with random credentials";
    throw wrongSettings("accounts is empty", hint);
  }
  const accounts = [first, ...others] as const;
  const service: Service = {
    ...options,
    accounts: knownAccounts(accounts),
    nonces: nonceMemory(windowSeconds, mostNonces),
    forcedNonces: nonceMemory(windowSeconds, mostNonces),
    requests: [],
    answers: [],
    answer: forcedAnswer(options.answer),
  };
  const { requests } = service;
  const { port, close } = await listen(service, options, now);
  // A client cannot connect to the address that stands for all of them.
  const reached = { "0.0.0.0": "127.0.0.1", "::": "::1" }[options.host] ?? options.host;
  return {
    url: `${options.cert === null ? "http" : "https"}://${hostFor(options.cert, reached)}:${port}`,
    port,
    accounts,
    requests,
    answer(kind) {
      const read = kind === null ? null : readOption(emulatorOptions.answer, kind, "answer", program);
      service.answer = forcedAnswer(read);
    },
    answers(list) {
      service.answers = readAnswers(list, service.accounts);
    },
    reset() {
      requests.length = 0;
      service.nonces.clear();
      service.forcedNonces.clear();
      service.answers = [];
      service.answer = forcedAnswer(options.answer);
    },
    close,
  };
}
