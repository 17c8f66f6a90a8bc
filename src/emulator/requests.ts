import type { IncomingMessage } from "node:http";
import { errorCode } from "../error-code.ts";
import type { Presented } from "./authenticate.ts";
import type { RequestHead } from "./decide.ts";

// RFC 9112, section 3.2.2: a server must accept the absolute form, whose host counts instead of the header's.
const absoluteForm = /^http:\/\/([^/?#]*)([^?#]*)/i;

/** What the decision needs of a request's first line and its `Host` and `Origin`, every value of a repeated header included. */
export function headOf({ method = "", url = "", headersDistinct, socket }: IncomingMessage): RequestHead {
  const [, authority, absolutePath] = absoluteForm.exec(url) ?? [];
  const hosts = headersDistinct.host ?? [];
  return {
    method,
    port: socket.localPort ?? 0,
    path: absolutePath ?? url.replace(/[?#].*$/s, ""),
    hosts: authority === undefined || hosts.length !== 1 ? hosts : [authority],
    origins: headersDistinct.origin ?? [],
  };
}

/** The credentials of a request. */
export function presentedOf({ headersDistinct }: IncomingMessage): Presented {
  return {
    wsse: headersDistinct["x-wsse"] ?? [],
    token: headersDistinct["x-auth-token"] ?? [],
    authorization: headersDistinct.authorization !== undefined,
  };
}

/** Reads a body away, and says how that ended: a body is no part of the interface, so only its end matters. */
export function discardBody(
  request: IncomingMessage,
  maximumBytes: number,
): Promise<"ended" | "too-large" | "gone"> {
  return new Promise((resolve) => {
    let length = 0;
    request.on("data", (chunk: Uint8Array) => {
      length += chunk.length;
      if (length <= maximumBytes) return;
      request.pause();
      resolve("too-large");
    });
    request.once("end", () => resolve("ended"));
    request.once("close", () => resolve("gone"));
  });
}

/** Why Node's HTTP parser gave a connection up, as a status and a reason; null where there is nobody left to answer. */
export interface ProtocolError {
  readonly status: number;
  readonly reason: string;
}

// The first byte of a TLS record that begins a handshake (RFC 8446, section 5.1).
const tlsHandshake = 22;

/** Reads the error of Node's `clientError` event. The reason quotes nothing of what was sent. */
export function protocolError(error: Error): ProtocolError | null {
  const code = errorCode(error) ?? "unknown";
  const packet = "rawPacket" in error && error.rawPacket instanceof Uint8Array ? error.rawPacket : null;
  switch (code) {
    case "ECONNRESET":
    case "EPIPE":
    case "HPE_INVALID_EOF_STATE":
      return null;
    case "HPE_HEADER_OVERFLOW":
      return { status: 431, reason: "malformed HTTP: the header is too large" };
    case "HPE_CHUNK_EXTENSIONS_OVERFLOW":
      return { status: 413, reason: "malformed HTTP: the chunk extensions are too large" };
    case "ERR_HTTP_REQUEST_TIMEOUT":
      return { status: 408, reason: "malformed HTTP: the request was not finished in time" };
    default:
      return packet?.[0] === tlsHandshake
        ? {
            status: 400,
            reason: "malformed HTTP: a TLS handshake came; the base URL here begins with http://",
          }
        : { status: 400, reason: `malformed HTTP: ${code}` };
  }
}
