import type { Step } from "./failure.ts";

/** A host in the form that a socket expects: an IPv6 address has no brackets. */
export interface HostAndPort {
  readonly host: string;
  readonly port: number;
}

/** What came back in a TLS handshake: nothing, an alert alone (RFC 8446, section 6), or more. */
export type Received = "nothing" | "alert" | "part";

/** An address that did not become the connection: the system's code (null: no answer yet), after this many milliseconds. */
export interface TriedAddress {
  readonly address: string;
  readonly code: string | null;
  readonly ms: number;
}

/** How the connection of one exchange was made, or how far it came. Text, JSON, `--verbose` and findings read it. */
export interface ConnectionRecord {
  /** The host and port of the socket: the proxy's, where there is one. */
  readonly peer: HostAndPort;
  /** The address of the socket; null if none connected. */
  readonly address: string | null;
  /** The other addresses that were tried, in their order. */
  readonly tried: readonly TriedAddress[];
  /** The milliseconds of each step; null if it was not begun. `proxy` is all the time until the way to the API is open. */
  readonly steps: Readonly<Record<Step, number | null>>;
  /** The step that was under way at the end. A tunnel through which nothing comes is the proxy's. */
  readonly step: Step;
  /** The step at the proxy that was under way, or `proxy` for a tunnel through which nothing comes; null if nothing was. */
  readonly proxyStep: Step | null;
  /** What came back in the last handshake; null if none was begun. */
  readonly received: Received | null;
  /** The last handshake that completed, which is a proxy's until one with the server did; null without one. */
  readonly tls: {
    readonly version: string;
    readonly isResumed: boolean;
    readonly validTo: string;
  } | null;
  /** Whether the server answered nothing but a ClientHello that fits into one packet. */
  readonly smallHello: boolean;
}

/** One attempt to connect to an address. */
interface AddressAttempt {
  readonly address: string;
  readonly began: number;
  code: string | null;
  ended: number | null;
}

/** Milliseconds of a clock that only goes forward. `performance.now()` would load node:perf_hooks (1.5 ms). */
export const milliseconds = (): number => Number(process.hrtime.bigint()) / 1e6;

/** Writes the record of a connection while it is made. */
export class ConnectionRecorder {
  /** What came back so far in the handshake under way. */
  received: (() => Received) | null = null;
  smallHello = false;
  #peer: HostAndPort = { host: "", port: 0 };
  #attempts: AddressAttempt[] = [];
  #connected: AddressAttempt | null = null;
  #tls: ConnectionRecord["tls"] = null;
  #step: Step | null = null;
  // The last step at the proxy; `proxy` once it said that the way to the API is open; null without a proxy.
  #proxyStep: Step | null = null;
  #entered = 0;
  readonly #steps: Record<Step, number | null> = {
    lookup: null,
    connect: null,
    proxy: null,
    tls: null,
    request: null,
    response: null,
  };

  /** Enters a step. Between `enterProxy` and `leaveProxy` it is a step at the proxy. */
  enter(step: Step): void {
    if (this.#step === "proxy" && this.#proxyStep !== "proxy") this.#proxyStep = step;
    else this.#begin(step);
  }

  /** Begins the way to a proxy. */
  enterProxy(): void {
    this.#begin("proxy");
    this.#proxyStep = "lookup";
  }

  /** The proxy said that the way to the API is open. */
  leaveProxy(): void {
    this.#proxyStep = "proxy";
  }

  /** Begins to connect to a peer, and forgets the addresses of an earlier connection. */
  aim(peer: HostAndPort): void {
    this.#peer = peer;
    this.#attempts = [];
    this.#connected = null;
  }

  /** Begins to try an address. Call the result with the system's code, or with null when it is connected. */
  tries(address: string): (code: string | null) => void {
    const attempt: AddressAttempt = { address, began: milliseconds(), ended: null, code: null };
    this.#attempts.push(attempt);
    return (code) => {
      attempt.ended = milliseconds();
      attempt.code = code;
      if (code === null) this.#connected = attempt;
    };
  }

  /** A handshake completed. */
  secured(tls: ConnectionRecord["tls"]): void {
    this.#tls = tls;
  }

  /** Goes on with the connection of another record. The times of the steps stay. */
  adopt(other: ConnectionRecorder): void {
    this.#peer = other.#peer;
    this.#attempts = other.#attempts;
    this.#connected = other.#connected;
    this.#tls = other.#tls;
    this.received = other.received;
    this.smallHello = other.smallHello;
  }

  /** Ends the last step, and gives the record. */
  end(): ConnectionRecord {
    const now = this.#leave();
    const received = this.received?.() ?? null;
    const isSilentTunnel = this.#proxyStep === "proxy" && this.#step === "tls" && received === "nothing";
    const step = isSilentTunnel ? "proxy" : (this.#step ?? "lookup");
    return {
      peer: this.#peer,
      address: this.#connected?.address ?? null,
      tried: this.#attempts
        .filter((attempt) => attempt !== this.#connected)
        .map(({ address, code, began, ended }) => ({ address, code, ms: (ended ?? now) - began })),
      steps: { ...this.#steps },
      step,
      proxyStep: step === "proxy" ? this.#proxyStep : null,
      received,
      tls: this.#tls,
      smallHello: this.smallHello,
    };
  }

  #begin(step: Step): void {
    this.#leave();
    this.#step = step;
    // A step that is repeated takes all its times together.
    this.#steps[step] ??= 0;
  }

  #leave(): number {
    const now = milliseconds();
    if (this.#step !== null) this.#steps[this.#step] = (this.#steps[this.#step] ?? 0) + now - this.#entered;
    this.#entered = now;
    return now;
  }
}
