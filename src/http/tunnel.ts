// Asks a proxy for a tunnel by CONNECT (RFC 9110, section 9.3.6).

import type { Socket } from "node:net";
import { hostAndPort, shownHost } from "../system/addresses.ts";
import { Arrived, brokenRule, clientFor } from "./client.ts";
import { type Opening, openTcp } from "./connect.ts";
import { type BrokenHttp, headerFields, headerValue, headerValues } from "./exchange.ts";
import { ConnectionFailed, codeOf, type Failure, type HostAndPort, lacksWebAssembly } from "./failure.ts";
import { openTls } from "./tls.ts";
import type { TrustedCertificates } from "./trusted-certificates.ts";

/** The user and password of the proxy's own URL, for the proxy alone (RFC 9110, section 11.7.1; RFC 7617). */
function proxyAuthorization({ username, password }: URL): Readonly<Record<string, string>> {
  if (username === "" && password === "") return {};
  const plain = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { "proxy-authorization": `Basic ${Buffer.from(plain, "utf8").toString("base64")}` };
}

/**
 * Opens a connection to the target through an HTTP proxy, which learns the host and port of the target alone. Rejects with
 * ConnectionFailed.
 */
export async function openTunnel(
  proxy: URL,
  target: HostAndPort,
  trust: TrustedCertificates,
  opening: Opening,
): Promise<Socket> {
  const { record } = opening;
  const { host, port } = hostAndPort(proxy);
  record.enterProxy();
  const connection = await openTcp({ host, port }, opening);
  const socket =
    proxy.protocol === "https:" ? await openTls(connection, host, proxy.origin, trust, opening) : connection;
  record.enter("response");
  const authority = `${shownHost(target.host)}:${target.port}`;
  const authorization = proxyAuthorization(proxy);
  const arrived = new Arrived(socket);
  record.received = () => (arrived.isEmpty ? "nothing" : "head");
  return new Promise<Socket>((resolve, reject) => {
    const failed = (code: string, known: Partial<Failure> = {}, broken: BrokenHttp | null = null): void =>
      reject(new ConnectionFailed(record.failure(code, known), false, broken));
    socket.once("close", () => {
      const { readableEnded, errored } = socket;
      // The proxy closed it, or its response broke a rule of HTTP, or the system ended it.
      if (readableEnded || errored === null) failed("EOF", {}, arrived.isEmpty ? null : arrived.broken(""));
      else {
        const rule = brokenRule(errored);
        if (rule === null) failed(codeOf(errored));
        else failed(rule, {}, arrived.broken(rule));
      }
    });
    clientFor(socket, proxy.origin).dispatch(
      { method: "CONNECT", path: authority, headers: { host: authority, ...authorization } },
      {
        // undici refuses a handler without it.
        onRequestStart: () => {},
        onRequestUpgrade: (controller, status, _headers, tunnel) => {
          const headers = headerFields(controller);
          const field = (name: string): string | null => headerValue({ headers }, name);
          const more = field("x-squid-error") ?? field("proxy-status");
          const answer = {
            status,
            reason: `${arrived.reason}${more === null ? "" : ` (${more})`}`.trim(),
            location: field("location"),
            challenges: headerValues({ headers }, "proxy-authenticate"),
            hadCredentials: "proxy-authorization" in authorization,
          };
          if (status < 200 || status > 299) return failed("REFUSED", { answer });
          record.leaveProxy(answer);
          arrived.stop();
          resolve(tunnel as Socket);
        },
        onResponseError: (_controller, error) =>
          lacksWebAssembly(error) ? reject(error) : failed(codeOf(error)),
      },
    );
  });
}
