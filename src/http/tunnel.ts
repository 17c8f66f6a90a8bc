import type { Socket } from "node:net";
import { lacksWebAssembly } from "../system/error-code.ts";
import { clientFor } from "./client.ts";
import { ConnectionFailed, codeOf, hostAndPort, type Opening, openTcp, shownHost } from "./connect.ts";
import type { HostAndPort } from "./connection-record.ts";
import { type HttpResponse, headerFields, headerValue, headerValues } from "./exchange.ts";
import { brokenRule } from "./exchange-end.ts";
import type { ProxyFacts } from "./failure.ts";
import { noTls, openTls } from "./tls.ts";
import type { TrustedCertificates } from "./trusted-certificates.ts";

/** An open way to a server. */
export interface Way {
  readonly socket: Socket;
  /** Turns a failure of TLS on this way into that of its owner, a proxy. */
  blame?(error: unknown): unknown;
}

/** The user and password of the proxy's own URL, for the proxy alone (RFC 9110, section 11.7.1; RFC 7617). */
function proxyAuthorization({ username, password }: URL): Readonly<Record<string, string>> {
  if (username === "" && password === "") return {};
  const plain = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { "proxy-authorization": `Basic ${Buffer.from(plain, "utf8").toString("base64")}` };
}

/** The schemes of the credentials that a proxy asks for (RFC 9110, section 11.7.1), such as `Basic`. */
function schemesIn(challenges: readonly string[]): readonly string[] {
  const parts = challenges.flatMap((challenge) => challenge.replace(/"[^"]*"/g, "").split(","));
  return parts.flatMap((part) => /^\s*([\w-]+)(?![\w=-]|\s*=)/.exec(part)?.[1] ?? []);
}

/** What the answer of a proxy says about itself. */
function factsIn(response: Pick<HttpResponse, "headers">): Pick<ProxyFacts, "reason" | "schemes"> {
  const value = (name: string): string | null => headerValue(response, name);
  return {
    // Squid's own field, and that of RFC 9209.
    reason: value("x-squid-error") ?? value("proxy-status") ?? "",
    schemes: schemesIn(headerValues(response, "proxy-authenticate")),
  };
}

/**
 * Opens a connection to the target through an HTTP proxy (CONNECT: RFC 9110, section 9.3.6). The proxy learns only the
 * target's host and port. Rejects with ConnectionFailed.
 */
export async function openTunnel(
  proxy: URL,
  target: HostAndPort,
  trust: TrustedCertificates,
  opening: Opening,
): Promise<Way> {
  const { host, port } = hostAndPort(proxy);
  const authorization = proxyAuthorization(proxy);
  const hasCredentials = "proxy-authorization" in authorization;
  const none = { status: null, isMalformed: false, hasCredentials, ...factsIn({ headers: [] }) };
  const refused = (
    failed: ProxyFacts["failed"],
    code: string,
    answer: Partial<ProxyFacts> = {},
    again = false,
  ): ConnectionFailed =>
    new ConnectionFailed({ step: "proxy", host, port, failed, code, ...none, ...answer }, again);
  opening.record.enterProxy();
  let connection: Socket;
  try {
    connection = await openTcp({ host, port }, opening);
    if (proxy.protocol === "https:")
      connection = await openTls(connection, { host, sessionKey: proxy.origin, trust }, opening);
  } catch (error) {
    if (!(error instanceof ConnectionFailed)) throw error;
    const { step, code } = error.failure;
    throw refused(step === "lookup" || step === "tls" ? step : "connect", code, {}, error.again);
  }
  opening.record.enter("response");
  const authority = `${shownHost(target.host)}:${target.port}`;
  const client = clientFor(connection, proxy.origin);
  return new Promise<Way>((resolve, reject) => {
    connection.once("close", () => {
      const { readableEnded, errored } = connection;
      // The proxy closed it, or its response broke a rule of HTTP, or the system ended it.
      if (readableEnded || errored === null) return reject(refused("response", "EOF"));
      const rule = brokenRule(errored);
      reject(refused("response", rule ?? codeOf(errored), { isMalformed: rule !== null }));
    });
    client.dispatch(
      { method: "CONNECT", path: authority, headers: { host: authority, ...authorization } },
      {
        // undici refuses a handler without it.
        onRequestStart: () => {},
        onRequestUpgrade: (controller, status, _headers, socket) => {
          const answer = { status, ...factsIn({ headers: headerFields(controller) }) };
          if (status < 200 || status > 299) return reject(refused("response", "REFUSED", answer));
          opening.record.leaveProxy();
          resolve({
            socket: socket as Socket,
            // It is the proxy's if nothing came through, or no TLS.
            blame: (error) => {
              if (!(error instanceof ConnectionFailed) || error.failure.step !== "tls") return error;
              const { code } = error.failure;
              const isSilent = opening.record.received?.() === "nothing";
              return isSilent || noTls.test(code) ? refused("proxy", code, answer, error.again) : error;
            },
          });
        },
        onResponseError: (_controller, error) =>
          reject(lacksWebAssembly(error) ? error : refused("response", codeOf(error))),
      },
    );
  });
}
