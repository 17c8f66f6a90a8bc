import type { IncomingMessage } from "node:http";
import { errorCode } from "../system/error-code.ts";
import type { RequestCredentials } from "./authenticate.ts";
import type { RequestError, RequestHead } from "./decide.ts";

// RFC 9112, section 3.2.2: a server must accept the absolute form, and then use its host instead of the Host header.
const absoluteForm = /^http:\/\/([^/?#]*)([^?#]*)/i;

/** The request line, and every value of the `Host` and `Origin` headers. */
export function headOf({ method = "", url = "", headersDistinct, socket }: IncomingMessage): RequestHead {
  const [, authority, absolutePath] = absoluteForm.exec(url) ?? [];
  const hosts = headersDistinct.host ?? [];
  return {
    method,
    address: socket.localAddress ?? "",
    port: socket.localPort ?? 0,
    path: absolutePath ?? url.replace(/[?#].*$/s, ""),
    hosts: authority === undefined || hosts.length !== 1 ? hosts : [authority],
    origins: headersDistinct.origin ?? [],
  };
}

/** Every value of the headers of a request that concern authentication. */
export function credentialsOf({ headersDistinct }: IncomingMessage): RequestCredentials {
  return {
    wsse: headersDistinct["x-wsse"] ?? [],
    token: headersDistinct["x-auth-token"] ?? [],
    authorization: headersDistinct.authorization ?? [],
  };
}

/** Reads and discards a body, since the API expects none. Resolves with how that ended. */
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

// The first byte of a TLS record that begins a handshake (RFC 8446, section 5.1).
const tlsHandshake = 22;

/**
 * The response to a request that Node's HTTP parser rejected, from the error of the `clientError` event; null if the client
 * is gone. The reason contains no text of the request.
 */
export function protocolError(error: Error): RequestError | null {
  const code = errorCode(error) ?? "unknown";
  const packet = "rawPacket" in error && Buffer.isBuffer(error.rawPacket) ? error.rawPacket : null;
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
