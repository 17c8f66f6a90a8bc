// Reads what arrives: the request, its body, broken HTTP; and refuses requests for other hosts and from web pages of others.

import type { IncomingMessage } from "node:http";
import { TLSSocket } from "node:tls";
import { errorCode } from "../errors.ts";
import { isLoopbackAddress, shownHost } from "../system/addresses.ts";
import { because, type Judgement, judged } from "./answer.ts";

/** The one path of the specification (section 4). */
export const endpointPath = "/test-authentication";

/** The beginning of the control paths, which tests use to steer. */
export const steering = "/__emulator/";

/**
 * The path of a request without that of the base URL; empty if it is not below it. A control path may stand at the root too: the
 * health check of a container knows no more than the port.
 */
export function withoutBasePath(path: string, basePath: string): string {
  if (path.startsWith(`${basePath}/`)) return path.slice(basePath.length);
  return path.startsWith(steering) ? path : "";
}

/** A request without its body. */
export interface EmulatorRequest {
  readonly method: string;
  /** The request target as it was sent. */
  readonly target: string;
  /** The path of the target, without its query. */
  readonly path: string;
  /** Every value of each header field, in the order of sending, by the names in lower case. */
  readonly headers: Readonly<Record<string, readonly string[] | undefined>>;
  /** The names in lower case, as they were sent. */
  readonly sentNames: ReadonlyMap<string, string>;
  readonly hosts: readonly string[];
  /** The address and port of this server that the client connected to. */
  readonly address: string;
  readonly port: number;
  readonly isSecure: boolean;
}

// RFC 9112, section 3.2.2: a server must accept the absolute form, and then use its host instead of the Host header.
const absoluteForm = /^https?:\/\/([^/?#]*)([^?#]*)/i;

/** The path of a request target. */
export const targetPath = (target: string): string =>
  absoluteForm.exec(target)?.[2] ?? target.replace(/[?#].*$/s, "");

/** What the server needs of Node's request. */
export function readRequest({
  method = "",
  url = "",
  headersDistinct,
  rawHeaders = [],
  socket,
}: IncomingMessage): EmulatorRequest {
  const [, authority] = absoluteForm.exec(url) ?? [];
  const hosts = headersDistinct.host ?? [];
  return {
    method,
    target: url,
    path: targetPath(url),
    headers: headersDistinct,
    sentNames: new Map(rawHeaders.filter((_, at) => at % 2 === 0).map((name) => [name.toLowerCase(), name])),
    hosts: authority === undefined || hosts.length !== 1 ? hosts : [authority],
    address: socket.localAddress ?? "",
    port: socket.localPort ?? 0,
    isSecure: socket instanceof TLSSocket,
  };
}

/** Whether a host as a URL writes it can only be this machine: no name of others can lead here by DNS. */
const isLoopbackName = (host: string): boolean =>
  host === "localhost" || host === "[::1]" || (host !== "::1" && isLoopbackAddress(host));

/** The name and the port of a host in lower case. */
function nameAndPort(host: string, defaultPort: string): readonly [name: string, port: string] {
  const [, name = "", port = defaultPort] =
    /^(\[[^\]]*\]|[^:]*)(?::(\d{1,5}))?$/.exec(host.toLowerCase()) ?? [];
  return [name, port];
}

/** Whether a page under test may ask the API: its one Origin is on a loopback name or on an allowed one. */
export function isAllowedPage(
  { headers }: Pick<EmulatorRequest, "headers">,
  allowed: readonly string[],
): boolean {
  const [origin = "", other] = headers.origin ?? [];
  // RFC 6454, section 6.2: a scheme and a host, with a port unless it is the scheme's own.
  const [, scheme, host = ""] = /^(https?):\/\/(\S+)$/.exec(origin) ?? [];
  const [name, port] = nameAndPort(host, scheme === "https" ? "443" : "80");
  const isAllowed = allowed.includes(name) || allowed.includes(`${name}:${port}`);
  return other === undefined && (isLoopbackName(name) || isAllowed);
}

/**
 * Why not to answer a request: it is for another host, or from a web page of others. Any page in a browser can reach a loopback
 * port, by DNS rebinding or a cross-origin request, and no page may steer. Null if nothing is so. A published port of a container
 * differs from its own, and a name stops rebinding, so a loopback name may have any port. `shown` makes text of the request fit
 * for a log.
 */
export function sourceError(
  request: Omit<EmulatorRequest, "method">,
  { allowHosts, basePath }: { readonly allowHosts: readonly string[]; readonly basePath: string },
  shown: (text: string, whole?: string) => string,
): Judgement | null {
  const { target, path, hosts, headers, address, port, isSecure } = request;
  const [host] = hosts;
  // RFC 9112, section 3.2: exactly one, else 400.
  if (host === undefined) return judged(400, [because("host", "there is no Host header")]);
  if (hosts.length > 1) return judged(400, [because("host", "Host was sent more than once")]);
  // A socket for both families shows an IPv4 address as an IPv6 one.
  const own = shownHost(address.replace(/^::ffff:(?=[\d.]+$)/, ""));
  const [name, sentPort] = nameAndPort(host, isSecure ? "443" : "80");
  const isOwn = name === own || isLoopbackName(name);
  if (!isOwn && !allowHosts.includes(name) && !allowHosts.includes(`${name}:${sentPort}`)) {
    const whole = absoluteForm.test(target) ? target.replace(endpointPath, "") : host;
    const names = `this server is ${own}:${port}; the request is for "${shown(host, whole)}"`;
    return judged(421, [because("host", `${names}; other names need --allow-host (allowHosts)`)]);
  }
  const [origin] = headers.origin ?? [];
  // A browser sends no Origin with the request of an image or a link (Fetch Metadata, section 2.3).
  const isOfPage = headers["sec-fetch-site"]?.includes("cross-site");
  if (origin === undefined && !isOfPage) return null;
  const steers = withoutBasePath(path, basePath).startsWith(steering);
  if (!steers && isAllowedPage(request, allowHosts)) return null;
  const from = origin === undefined ? "another site" : `"${shown(origin)}"`;
  const who = steers
    ? "no web page may steer"
    : "only pages of loopback and of --allow-host may use this server";
  return judged(403, [because("origin", `${who}; this request is from ${from}`)]);
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
  [/^HPE_PAUSED_H2_UPGRADE$/, "HTTP/2 came; this server speaks HTTP/1.1"],
  [/^ERR_SSL_HTTP_REQUEST$/, "a request without TLS came; the base URL here begins with https://"],
  [/^ERR_(?:SSL|TLS)_.*ALERT/, `the TLS handshake failed${distrust}`],
  [/^ERR_(?:SSL|TLS)_/, "the TLS handshake failed"],
];

// The first byte of a TLS record that begins a handshake (RFC 8446, section 5.1).
const tlsHandshake = 22;

const noBreak =
  'take the line break away: rtrim() or trim() in PHP, encode_base64($text, "") in Perl, base64 -w 0 or openssl base64 -A in a shell';
const wholeLine =
  'send a whole line, "X-WSSE: UsernameToken …": CURLOPT_HTTPHEADER of PHP and -H of curl add no name';

/** What a client's author did to the lines of a head that Node's parser rejects, and what to change; null if they do not show it. */
function lineProblem(packet: Buffer, shownName: (name: string) => string): readonly [string, string] | null {
  const [head = ""] = packet.toString("latin1").split("\r\n\r\n", 1);
  const [, ...lines] = head.split("\r\n");
  let before = "";
  for (const line of lines) {
    const [, name = null] = /^([\w!#$%&'*+.^`|~-]+)[ \t]*:/.exec(line) ?? [];
    // White space before it shows that the field before goes on.
    if (name === null && !/^[ \t]/.test(line)) {
      const first = "a line without a name and a colon";
      return before === ""
        ? [first, wholeLine]
        : [
            `${first}, behind the field ${shownName(before)}`,
            `${noBreak}, if it belongs to that field; else ${wholeLine}`,
          ];
    }
    if (name === null || /[\r\n]/.test(line))
      return [`a line break inside the field ${shownName(name ?? before)}`, noBreak];
    before = name;
  }
  return null;
}

/** What Node's parser rejected, without text of the request but the name of a field; null if the client is gone. */
export function protocolError(error: Error, shownName: (name: string) => string): Judgement | null {
  const code = errorCode(error) ?? "unknown";
  if (gone.includes(code)) return null;
  const packet = "rawPacket" in error && Buffer.isBuffer(error.rawPacket) ? error.rawPacket : null;
  const isTls = packet?.[0] === tlsHandshake;
  const [, known] = protocolErrors.find(([of]) => of.test(code)) ?? [];
  const other = isTls ? "a TLS handshake came; the base URL here begins with http://" : null;
  const [line = null, change] = packet === null || isTls ? [] : (lineProblem(packet, shownName) ?? []);
  const problem = known ?? other ?? line;
  return judged(400, [because("malformed HTTP", problem === null ? code : `${problem} (${code})`, change)]);
}
