import type { IncomingMessage } from "node:http";
import { TLSSocket } from "node:tls";
import { errorCode } from "../errors.ts";
import { because, type Judgement, judged } from "./answer.ts";

/** The one path of the specification (section 4). */
export const endpointPath = "/test-authentication";

/** A request without its body. */
export interface EmulatorRequest {
  readonly method: string;
  /** The request target as it was sent. */
  readonly target: string;
  /** The same without its query. */
  readonly path: string;
  /** Every value of each header field, in the order of sending, by the names in lower case. */
  readonly headers: Readonly<Record<string, readonly string[] | undefined>>;
  readonly hosts: readonly string[];
  /** The address and port of this server that the client connected to. */
  readonly address: string;
  readonly port: number;
  readonly isSecure: boolean;
}

// RFC 9112, section 3.2.2: a server must accept the absolute form, and then use its host instead of the Host header.
const absoluteForm = /^https?:\/\/([^/?#]*)([^?#]*)/i;

/** The path of a request target. */
export const pathOf = (target: string): string =>
  absoluteForm.exec(target)?.[2] ?? target.replace(/[?#].*$/s, "");

/** What the server needs of Node's request. */
export function readRequest({
  method = "",
  url = "",
  headersDistinct,
  socket,
}: IncomingMessage): EmulatorRequest {
  const [, authority] = absoluteForm.exec(url) ?? [];
  const hosts = headersDistinct.host ?? [];
  return {
    method,
    target: url,
    path: pathOf(url),
    headers: headersDistinct,
    hosts: authority === undefined || hosts.length !== 1 ? hosts : [authority],
    address: socket.localAddress ?? "",
    port: socket.localPort ?? 0,
    isSecure: socket instanceof TLSSocket,
  };
}

/** An address as a URL writes it. */
export function hostOf(address: string): string {
  return address.includes(":") ? `[${address}]` : address;
}

/**
 * Why not to answer a request: it is for another host, or from a web page. Any page in a browser can reach a loopback port,
 * by DNS rebinding or a cross-origin request. Null if neither is so. `shown` makes text of the request fit for a log.
 */
export function sourceError(
  { target, hosts, headers, address, port, isSecure }: Omit<EmulatorRequest, "method" | "path">,
  allowed: readonly string[],
  shown: (text: string, whole?: string) => string,
): Judgement | null {
  const [host] = hosts;
  // RFC 9112, section 3.2: exactly one, else 400.
  if (host === undefined) return judged(400, [because("host", "there is no Host header")]);
  if (hosts.length > 1) return judged(400, [because("host", "Host was sent more than once")]);
  // A socket for both families shows an IPv4 address as an IPv6 one.
  const own = hostOf(address.replace(/^::ffff:(?=[\d.]+$)/, ""));
  // Clients leave out the default port of http and https.
  const [, name = "", sentPort = isSecure ? "443" : "80"] =
    /^(\[[^\]]*\]|[^:]*)(?::(\d+))?$/.exec(host.toLowerCase()) ?? [];
  const isOwn = [own, "127.0.0.1", "localhost", "[::1]"].includes(name) && Number(sentPort) === port;
  if (!isOwn && !allowed.includes(name) && !allowed.includes(`${name}:${sentPort}`)) {
    const whole = absoluteForm.test(target) ? target.replace(endpointPath, "") : host;
    const names = `this server is ${own}:${port}; the request is for "${shown(host, whole)}"`;
    return judged(421, [because("host", `${names}; other names need --allow-host (allowHosts)`)]);
  }
  const [origin] = headers.origin ?? [];
  // A browser sends no Origin with the request of an image or a link (Fetch Metadata, section 2.3).
  const isOfPage = headers["sec-fetch-site"]?.includes("cross-site");
  if (origin === undefined && !isOfPage) return null;
  const from = origin === undefined ? "another site" : `"${shown(origin)}"`;
  return judged(403, [because("origin", `web pages may not use this server; this request is from ${from}`)]);
}

/**
 * Reads a body: null if it has more bytes than `most`. It discards the rest of a large one: a client that still sends would miss
 * the answer. Never resolves for a client that is gone.
 */
export function readBody(request: IncomingMessage, most: number): Promise<Buffer | null> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let length = 0;
    request.on("data", (chunk: Buffer) => {
      length += chunk.length;
      if (length <= most) chunks.push(chunk);
    });
    request.once("end", () => resolve(length <= most ? Buffer.concat(chunks) : null));
  });
}

/** The codes of errors after which nobody waits for a response. */
const gone: readonly string[] = ["ECONNRESET", "EPIPE", "HPE_INVALID_EOF_STATE"];

const distrust = "; the client refused it, maybe because it does not trust the certificate";

/** What to say of an error whose code begins so; the first row that fits counts. */
const protocolErrors: ReadonlyArray<readonly [code: RegExp, problem: string]> = [
  [/^ERR_SSL_HTTP_REQUEST$/, "a request without TLS came; the base URL here begins with https://"],
  [/^ERR_(?:SSL|TLS)_.*ALERT/, `the TLS handshake failed${distrust}`],
  [/^ERR_(?:SSL|TLS)_/, "the TLS handshake failed"],
];

// The first byte of a TLS record that begins a handshake (RFC 8446, section 5.1).
const tlsHandshake = 22;

/** What Node's parser rejected, without text of the request; null if the client is gone. */
export function protocolError(error: Error): Judgement | null {
  const code = errorCode(error) ?? "unknown";
  if (gone.includes(code)) return null;
  const packet = "rawPacket" in error && Buffer.isBuffer(error.rawPacket) ? error.rawPacket : null;
  const isTls = packet?.[0] === tlsHandshake;
  const [, known] = protocolErrors.find(([of]) => of.test(code)) ?? [];
  const problem = known ?? (isTls ? "a TLS handshake came; the base URL here begins with http://" : null);
  return judged(400, [because("malformed HTTP", problem === null ? code : `${problem} (${code})`)]);
}
