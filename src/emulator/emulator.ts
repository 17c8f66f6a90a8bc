import { wrongSettings } from "../errors.ts";
import { type EmulatorAccount, knownAccounts } from "./accounts.ts";
import { type Service, windowSeconds } from "./authenticate.ts";
import { hostOf } from "./decide.ts";
import type { ForcedAnswer, ReceivedRequest } from "./decision.ts";
import { nonceMemory } from "./nonces.ts";
import { type AllOptions, emulatorOptions } from "./options.ts";
import { program, readOption } from "./readers.ts";
import { logLine } from "./received.ts";
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
  /** Forgets all requests and nonces, and answers as at the start. */
  reset(): void;
  /** Ends all connections, and resolves when the port is free. */
  close(): Promise<void>;
}

const mostRequests = 1_000;
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
  };
  const requests: ReceivedRequest[] = [];
  const { port, close } = await listen(service, options, now, (request) => {
    requests.push(request);
    if (requests.length > mostRequests) requests.shift();
    options.log(logLine(request), request);
  });
  // A client cannot connect to the address that stands for all of them.
  const reached = { "0.0.0.0": "127.0.0.1", "::": "::1" }[options.host] ?? options.host;
  return {
    url: `http://${hostOf(reached)}:${port}`,
    port,
    accounts,
    requests,
    answer(kind) {
      service.answer = kind === null ? null : readOption(emulatorOptions.answer, kind, "answer", program);
    },
    reset() {
      requests.length = 0;
      service.nonces.clear();
      service.answer = options.answer;
    },
    close,
  };
}
