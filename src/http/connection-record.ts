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
}

/** A peer, the attempts to connect to its addresses, and the one of them that succeeded. */
interface Aim {
  readonly peer: HostAndPort;
  readonly attempts: {
    readonly address: string;
    code: string | null;
    readonly began: number;
    ended?: number;
  }[];
  connected?: string;
}

/** Whole milliseconds of a clock that only goes forward. `performance.now()` would load node:perf_hooks (1.5 ms). */
export const milliseconds = (): number => Math.round(Number(process.hrtime.bigint()) / 1e6);

/** Writes the record of a connection while it is made. */
export class ConnectionRecorder {
  /** What came back so far in the handshake under way. */
  received: (() => Received) | null = null;
  /** The last handshake that completed. */
  tls: ConnectionRecord["tls"] = null;
  #aim: Aim = { peer: { host: "", port: 0 }, attempts: [] };
  #step: Step = "lookup";
  #entered = 0;
  // The last step at the proxy; `proxy` once it said that the way to the API is open; null without a proxy.
  #proxyStep: Step | null = null;
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
    this.#aim = { peer, attempts: [] };
  }

  /** Begins to try an address. Call the result with the system's code, or with null when it is connected. */
  tries(address: string): (code: string | null) => void {
    const aim = this.#aim;
    const attempt: Aim["attempts"][number] = { address, code: null, began: milliseconds() };
    aim.attempts.push(attempt);
    return (code) => {
      attempt.ended = milliseconds();
      attempt.code = code;
      if (code === null) aim.connected = address;
    };
  }

  /** Ends the last step, and gives the record. */
  end(): ConnectionRecord {
    const now = this.#leave();
    const { peer, attempts, connected = null } = this.#aim;
    const received = this.received?.() ?? null;
    const isSilentTunnel = this.#proxyStep === "proxy" && this.#step === "tls" && received === "nothing";
    const step = isSilentTunnel ? "proxy" : this.#step;
    return {
      peer,
      address: connected,
      tried: attempts
        .filter(({ address }) => address !== connected)
        .map(({ address, code, began, ended = now }) => ({ address, code, ms: ended - began })),
      steps: { ...this.#steps },
      step,
      proxyStep: step === "proxy" ? this.#proxyStep : null,
      received,
      tls: this.tls,
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
    const spent = this.#steps[this.#step];
    if (spent !== null) this.#steps[this.#step] = spent + now - this.#entered;
    this.#entered = now;
    return now;
  }
}
