import type { IncomingMessage } from "node:http";
import { errorCode } from "../system/error-code.ts";
import { because, type Decision, decided } from "./decision.ts";

/** Every value of each header field, in the order of sending, by the names in lower case. */
export type Headers = Readonly<Record<string, readonly string[] | undefined>>;

/** A request without its body. */
export interface EmulatorRequest {
  readonly method: string;
  /** The request target as it was sent, without its query. */
  readonly path: string;
  readonly headers: Headers;
  /** The hosts that it names. */
  readonly hosts: readonly string[];
  /** The address and port of this server that the client connected to. */
  readonly address: string;
  readonly port: number;
}

// RFC 9112, section 3.2.2: a server must accept the absolute form, and then use its host instead of the Host header.
const absoluteForm = /^http:\/\/([^/?#]*)([^?#]*)/i;

/** What the server needs of Node's request. */
export function requestOf({
  method = "",
  url = "",
  headersDistinct,
  socket,
}: IncomingMessage): EmulatorRequest {
  const [, authority, absolutePath] = absoluteForm.exec(url) ?? [];
  const hosts = headersDistinct.host ?? [];
  return {
    method,
    path: absolutePath ?? url.replace(/[?#].*$/s, ""),
    headers: headersDistinct,
    hosts: authority === undefined || hosts.length !== 1 ? hosts : [authority],
    address: socket.localAddress ?? "",
    port: socket.localPort ?? 0,
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

/** The codes of errors after which nobody waits for a response. */
const gone: readonly string[] = ["ECONNRESET", "EPIPE", "HPE_INVALID_EOF_STATE"];

const protocolErrors: Readonly<Record<string, readonly [status: number, problem: string]>> = {
  HPE_HEADER_OVERFLOW: [431, "the header is too large"],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, "the chunk extensions are too large"],
  ERR_HTTP_REQUEST_TIMEOUT: [408, "the request was not finished in time"],
};

// The first byte of a TLS record that begins a handshake (RFC 8446, section 5.1).
const tlsHandshake = 22;

/**
 * The decision on a request that Node's HTTP parser rejected, from the error of the `clientError` event; null if the client
 * is gone. It contains no text of the request.
 */
export function protocolError(error: Error): Decision | null {
  const code = errorCode(error) ?? "unknown";
  if (gone.includes(code)) return null;
  const packet = "rawPacket" in error && Buffer.isBuffer(error.rawPacket) ? error.rawPacket : null;
  const isTls = packet?.[0] === tlsHandshake;
  const other = isTls ? "a TLS handshake came; the base URL here begins with http://" : code;
  const [status, problem] = protocolErrors[code] ?? [400, other];
  return decided(status, because("malformed HTTP", problem));
}
