/** Why Node's HTTP parser gave a connection up, as a status and a reason; null where there is nobody left to answer. */
export interface ProtocolError {
  readonly status: number;
  readonly reason: string;
}

// The first byte of a TLS record that begins a handshake (RFC 8446, section 5.1).
const tlsHandshake = 22;

/** Reads the error of Node's `clientError` event. The reason quotes nothing of what was sent. */
export function protocolError(error: Error): ProtocolError | null {
  const code = "code" in error && typeof error.code === "string" ? error.code : "unknown";
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
