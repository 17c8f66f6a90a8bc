import type { Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import type { Opening } from "./connect.ts";
import { ConnectionRecorder } from "./connection-record.ts";
import { openTls, type Peer } from "./tls.ts";

/** An open way to a server. */
export interface Way {
  readonly socket: Socket;
  /** Turns a failure of TLS on this way into that of its owner, a proxy. */
  blame?(error: unknown): unknown;
}

// A larger ClientHello takes more than one packet of Ethernet.
const onePacketBytes = 1_400;

const isUnanswered = ({ received }: ConnectionRecorder): boolean => (received?.() ?? "nothing") === "nothing";

/**
 * Opens TLS on a way to the server. Some devices lose a ClientHello of more than one packet, and OpenSSL 3.5 sends such a one.
 * So where nothing comes back for a third of the deadline, or the connection ends before, one more handshake is tried on a way of
 * its own, with a small ClientHello. The handshake that completes first counts. Rejects with ConnectionFailed.
 */
export async function openSecured(
  open: (opening: Opening) => Promise<Way>,
  peer: Omit<Peer, "smallHello">,
  opening: Opening,
): Promise<TLSSocket> {
  const { record, deadlineMs } = opening;
  const { smallHellos, sessions } = peer.trust;
  const handshake = async ({ socket, blame }: Way, own: Opening): Promise<TLSSocket> => {
    try {
      return await openTls(socket, { ...peer, smallHello: own.record.smallHello }, own);
    } catch (error) {
      throw blame?.(error) ?? error;
    }
  };

  const way = await open(opening);
  const before = way.socket.bytesWritten;
  record.smallHello = smallHellos.get(peer.sessionKey) ?? false;
  // A session shows that such a ClientHello arrived before; the server may refuse to resume it.
  const hasSession = sessions.get(peer.sessionKey) !== undefined;
  const first = handshake(way, opening);
  if (record.smallHello || hasSession) return first;

  const mayBeLost = (): boolean =>
    isUnanswered(record) && way.socket.bytesWritten - before > onePacketBytes && !opening.isOver();
  const trySmall = async (): Promise<TLSSocket> => {
    const own = { ...opening, record: new ConnectionRecorder() };
    own.record.smallHello = true;
    try {
      return await handshake(await open(own), own);
    } catch (error) {
      // Without an answer it shows no more than the first one, which may still succeed.
      if (isUnanswered(own.record)) return first;
      throw error;
    } finally {
      if (!isUnanswered(own.record)) {
        smallHellos.set(peer.sessionKey, true);
        record.adopt(own.record);
      }
    }
  };
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise((resolve) => {
    timer = setTimeout(resolve, deadlineMs / 3);
  });
  await Promise.race([first.catch(() => {}), patience]);
  clearTimeout(timer);
  if (!mayBeLost()) return first;
  const small = trySmall();
  const firstOrSmall = first.catch((error) => {
    if (mayBeLost()) return small;
    throw error;
  });
  return Promise.race([firstOrSmall, small]);
}
