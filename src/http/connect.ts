// Opens a TCP connection: looks the name up, then tries the addresses in turn, each a little after the one before.

import type { LookupAddress } from "node:dns";
import { connect, isIP, type Socket } from "node:net";
import { ConnectionFailed, codeOf, type HostAndPort, wordsOf } from "./failure.ts";
import { addressesFor, type Lookup } from "./lookup.ts";
import type { ConnectionRecorder } from "./record.ts";

/** A connection that is being made. */
export interface Opening {
  readonly record: ConnectionRecorder;
  readonly lookup: Lookup;
  /** Called with each new socket, so that the exchange can destroy it at the end. */
  opened(socket: Socket): void;
  /** Whether the exchange has ended, so that nothing more is to be begun. */
  isOver(): boolean;
}

/** Opens a TCP connection to one of the host's addresses. Rejects with ConnectionFailed. */
export async function openTcp({ host, port }: HostAndPort, opening: Opening): Promise<Socket> {
  const { record, lookup } = opening;
  record.aim({ host, port });
  let addresses: readonly LookupAddress[] = [{ address: host, family: isIP(host) }];
  if (isIP(host) === 0) {
    record.enter("lookup");
    addresses = await addressesFor(host, lookup).catch((error) => {
      throw new ConnectionFailed(record.failure(codeOf(error), { reason: wordsOf(error) }));
    });
  }
  record.enter("connect");
  return firstToConnect(takingTurns(addresses), port, opening).catch(({ code, reason }) => {
    throw new ConnectionFailed(record.failure(code, { reason }));
  });
}

/** The addresses in the system's order (RFC 6724), so that IPv6 and IPv4 take turns (RFC 8305, section 4). */
function takingTurns(addresses: readonly LookupAddress[]): readonly string[] {
  const next: Record<number, number> = {};
  return addresses
    .map(({ address, family }) => {
      const turn = next[family] ?? 0;
      next[family] = turn + 1;
      return { address, turn };
    })
    .sort((one, other) => one.turn - other.turn)
    .map(({ address }) => address);
}

/** Recommended by RFC 8305, section 8. */
const attemptDelayMs = 250;

// The codes of an address to which this machine has no way. The code of another address says more.
const noWay = /^(?:ENETUNREACH|EADDRNOTAVAIL|EAFNOSUPPORT|EHOSTUNREACH|EINVAL)$/;

/**
 * Tries the addresses one after another, the next one after a quarter of a second, or at once when one fails, until one connects (RFC 8305,
 * section 5). Node's own `autoSelectFamily` gives up an attempt when the next begins, so it reaches no server that is farther away than
 * that. Rejects with the code and the words of the failure that says most.
 */
function firstToConnect(addresses: readonly string[], port: number, opening: Opening): Promise<Socket> {
  const { record, opened, isOver } = opening;
  return new Promise((resolve, reject) => {
    const waiting = new Set<Socket>();
    let timer: NodeJS.Timeout | undefined;
    let next = 0;
    let decisive = { code: "", reason: "" };
    const tryNext = (): void => {
      clearTimeout(timer);
      const address = addresses[next];
      if (address === undefined || isOver()) return;
      next += 1;
      const ended = record.tries(address);
      const failed = (error: unknown, reason = wordsOf(error)): void => {
        const code = codeOf(error);
        ended(code);
        if (decisive.code === "" || !noWay.test(code)) decisive = { code, reason };
        if (next < addresses.length) tryNext();
        else if (waiting.size === 0) reject(decisive);
      };
      let socket: Socket;
      try {
        socket = connect({ host: address, port, noDelay: true });
      } catch (error) {
        failed(error, wordsOf(error, true));
        return;
      }
      waiting.add(socket);
      opened(socket);
      const refused = (error: Error): void => {
        waiting.delete(socket);
        failed(error);
      };
      socket.once("error", refused);
      socket.once("connect", () => {
        clearTimeout(timer);
        ended(null);
        socket.off("error", refused);
        waiting.delete(socket);
        for (const other of waiting) other.destroy();
        resolve(socket);
      });
      if (next < addresses.length) timer = setTimeout(tryNext, attemptDelayMs);
    };
    tryNext();
  });
}
