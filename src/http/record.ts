// Records how a connection is made, step by step, and makes its failure where it ends.

import { hostAndPort } from "../system/addresses.ts";
import {
  type Failure,
  type HostAndPort,
  noTls,
  type ProxyAnswer,
  type Received,
  type Step,
} from "./failure.ts";

/** An address that did not become the connection: the system's code (null: no answer yet), after this many milliseconds. */
export interface TriedAddress {
  readonly address: string;
  readonly code: string | null;
  readonly ms: number;
}

/** How the connection of one exchange was made, or how far it came, in the form of `--json`. Times are in milliseconds. */
export interface ConnectionRecord {
  /** The address of the socket, which is the proxy's where one is used; null if none connected. */
  readonly address: string | null;
  readonly port: number;
  /** The proxy's URL without credentials; null without a proxy. */
  readonly proxy: string | null;
  /** The other addresses that were tried, in their order. */
  readonly tried: readonly TriedAddress[];
  /** The time of each step; null if it was not begun. `proxy` is all the time until the way to the API is open. */
  readonly steps: Readonly<Record<Step, number | null>>;
  /** When the server's own certificate expires: ISO 8601 in UTC. Null without TLS, or if no request was begun. */
  readonly certificateExpiresAt: string | null;
}

/** What every exchange records. `sentAt` and `respondedAt` are in milliseconds since the epoch. */
export interface Trace {
  readonly durationMs: number;
  readonly connection: ConnectionRecord;
  /** The last handshake that completed, which is a proxy's until one with the server did; null without one. */
  readonly tls: {
    readonly version: string;
    readonly isResumed: boolean;
    /** When the certificate expires: ISO 8601; null if that cannot be read. */
    readonly expiresAt: string | null;
  } | null;
  readonly sentAt: number | null;
  readonly respondedAt: number | null;
}

/** Whole milliseconds of a clock that only goes forward. `performance.now()` would load node:perf_hooks (1.5 ms). */
const milliseconds = (): number => Math.round(Number(process.hrtime.bigint()) / 1e6);

/** Writes the record of a connection while it is made, and makes its failures. */
export class ConnectionRecorder {
  /** What came back so far, in the handshake or of the response. */
  received: (() => Received) | null = null;
  /** How much of a body came, of how much. */
  body: Failure["body"] = null;
  tls: Trace["tls"] = null;
  /** When the request was sent and the response began, in milliseconds since the epoch. */
  sentAt: number | null = null;
  respondedAt: number | null = null;
  readonly #began = milliseconds();
  readonly #target: HostAndPort;
  readonly #proxy: URL | null;
  #peer: HostAndPort;
  /** The addresses to which a connection was begun. */
  #attempts: Array<{
    readonly address: string;
    code: string | null;
    readonly began: number;
    ended: number | null;
  }> = [];
  #connected: string | null = null;
  #step: Step = "lookup";
  #isAtProxy = false;
  // Its answer to CONNECT, once the way to the API is open.
  #tunnel: ProxyAnswer | null = null;
  // The step whose time runs: at a proxy, that is `proxy`.
  #timed: Step = "lookup";
  #entered = 0;
  readonly #steps: Record<Step, number | null> = {
    lookup: null,
    connect: null,
    proxy: null,
    tls: null,
    request: null,
    response: null,
  };

  constructor({ baseUrl, proxy }: { readonly baseUrl: URL; readonly proxy: URL | null }) {
    this.#target = hostAndPort(baseUrl);
    this.#proxy = proxy;
    this.#peer = this.#target;
  }

  /** Enters a step. Between `enterProxy` and `leaveProxy` it is a step at the proxy. */
  enter(step: Step): void {
    this.#step = step;
    if (!this.#isAtProxy) this.#time(step);
  }

  enterProxy(): void {
    this.#isAtProxy = true;
    this.#tunnel = null;
    this.#time("proxy");
  }

  /** The proxy said that the way to the API is open. */
  leaveProxy(answer: ProxyAnswer): void {
    this.#isAtProxy = false;
    this.#tunnel = answer;
  }

  /** Begins to connect to a peer, and forgets the addresses of an earlier connection. */
  aim(peer: HostAndPort): void {
    this.#peer = peer;
    this.#attempts = [];
    this.#connected = null;
  }

  /** Begins to try an address. Call the result with the system's code, or with null when it is connected. */
  tries(address: string): (code: string | null) => void {
    const began = milliseconds();
    const attempt = { address, code: null as string | null, began, ended: null as number | null };
    this.#attempts.push(attempt);
    return (code) => {
      attempt.ended = milliseconds();
      attempt.code = code;
      if (code === null) this.#connected = address;
    };
  }

  /** The failure of the step under way, with this code and what else is known of it. */
  failure(code: string | null, known: Partial<Failure> = {}): Failure {
    const received = known.received ?? this.received?.() ?? null;
    const isOfTunnel =
      this.#tunnel !== null && this.#step === "tls" && (received === "nothing" || noTls.test(code ?? ""));
    const at = isOfTunnel || this.#isAtProxy ? "proxy" : "api";
    return {
      step: isOfTunnel ? "proxy" : this.#step,
      at,
      code,
      reason: "",
      peer: at === "proxy" ? this.#peer : this.#target,
      certificate: null,
      body: this.body,
      answer: isOfTunnel ? this.#tunnel : null,
      ...known,
      received,
    };
  }

  /** Ends the last step, and gives what was recorded. */
  end(): Trace {
    const { tls, sentAt, respondedAt } = this;
    const now = this.#time(null);
    const connection: ConnectionRecord = {
      address: this.#connected,
      port: this.#peer.port,
      proxy: this.#proxy && `${this.#proxy.protocol}//${this.#proxy.host}`,
      tried: this.#attempts
        .filter(({ address }) => address !== this.#connected)
        .map(({ address, code, began, ended }) => ({ address, code, ms: (ended ?? now) - began })),
      steps: this.#steps,
      certificateExpiresAt: this.#steps.request === null ? null : (tls?.expiresAt ?? null),
    };
    return { durationMs: now - this.#began, connection, tls, sentAt, respondedAt };
  }

  /** Ends the time of one step, and begins that of another. A step that is repeated takes all its times together. */
  #time(step: Step | null): number {
    const now = milliseconds();
    const spent = this.#steps[this.#timed];
    if (spent !== null) this.#steps[this.#timed] = spent + now - this.#entered;
    this.#entered = now;
    if (step !== null) {
      this.#timed = step;
      this.#steps[step] ??= 0;
    }
    return now;
  }
}
