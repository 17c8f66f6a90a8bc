import type { Socket } from "node:net";
import { clientOn } from "./client.ts";
import {
  ConnectionFailed,
  type ConnectionObserver,
  codeOf,
  type HostAndPort,
  hostAndPort,
  openTcp,
} from "./connect.ts";
import { brokenRule } from "./exchange-end.ts";
import type { Lookup } from "./lookup.ts";
import { openTls } from "./tls.ts";
import type { TrustedCertificates } from "./trusted-certificates.ts";

/** Why the connection ended: `EOF` if the proxy closed it, the rule of HTTP that its response broke, or the system's error. */
function endOf({ readableEnded, errored }: Socket): string {
  if (readableEnded || errored === null) return "EOF";
  return brokenRule(errored) ?? codeOf(errored);
}

/** The user and password of the proxy's own URL, for the proxy alone (RFC 9110, section 11.7.1; RFC 7617). */
function proxyAuthorization({ username, password }: URL): Readonly<Record<string, string>> {
  if (username === "" && password === "") return {};
  const plain = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { "proxy-authorization": `Basic ${Buffer.from(plain, "utf8").toString("base64")}` };
}

/**
 * Opens a connection to the target through an HTTP proxy (CONNECT: RFC 9110, section 9.3.6). The proxy learns only the
 * target's host and port. Rejects with ConnectionFailed.
 */
export async function openTunnel(
  proxy: URL,
  target: HostAndPort,
  { trust, lookup }: { readonly trust: TrustedCertificates; readonly lookup: Lookup },
  progress: ConnectionObserver,
): Promise<Socket> {
  const { host, port } = hostAndPort(proxy);
  const refused = (status: number | null, code: string, again = false): ConnectionFailed =>
    new ConnectionFailed({ kind: "proxy", host, port, status, code }, again);
  let connection: Socket;
  try {
    const plain = await openTcp({ host, port }, lookup, progress);
    connection =
      proxy.protocol === "https:"
        ? await openTls(plain, { host, sessionKey: proxy.origin, trust }, progress)
        : plain;
  } catch (error) {
    throw error instanceof ConnectionFailed ? refused(null, error.failure.code, error.again) : error;
  }
  progress.enter("proxy");
  const authority = `${target.host.includes(":") ? `[${target.host}]` : target.host}:${target.port}`;
  const client = clientOn(connection, proxy.origin);
  return new Promise<Socket>((resolve, reject) => {
    connection.once("close", () => reject(refused(null, endOf(connection))));
    client.dispatch(
      { method: "CONNECT", path: authority, headers: { host: authority, ...proxyAuthorization(proxy) } },
      {
        // undici refuses a handler without it.
        onRequestStart: () => {},
        onRequestUpgrade: (_controller, status, _headers, socket) => {
          if (status < 200 || status > 299) return reject(refused(status, "REFUSED"));
          progress.reached(`proxy ${host} port ${port}`);
          resolve(socket as Socket);
        },
        onResponseError: (_controller, error) => reject(refused(null, codeOf(error))),
      },
    );
  });
}
