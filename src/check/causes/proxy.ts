import { shownHost } from "../../http/connect.ts";
import type { TransportFailure } from "../../http/failure.ts";
import { type Cause, type Evidence, measured } from "./evidence.ts";

/** Why there is no connection through the proxy. */
export function proxyCause(
  { host, port, status, code }: Extract<TransportFailure, { kind: "proxy" }>,
  { hints }: Evidence,
): Cause {
  const headline = `no connection through the proxy ${shownHost(host)} port ${port} (${status ?? code})`;
  const place = `set by ${hints.placeOf("proxy")}`;
  const name = `${shownHost(host)}:${port} (${place})`;
  if (status === null) {
    return {
      headline,
      ...measured(
        "proxy-unreachable",
        `the proxy ${name} cannot be reached or broke the connection (${code})`,
        `Check the address of the proxy (${place}), and whether the proxy runs`,
      ),
    };
  }
  return {
    headline,
    ...(status === 407
      ? measured(
          "proxy-refused",
          `the proxy ${name} answered CONNECT with 407: it asks for credentials of its own`,
          `Write the proxy's user and password into its URL (${place}): http://USER:PASSWORD@HOST:PORT`,
        )
      : measured(
          "proxy-refused",
          `the proxy ${name} answered CONNECT with ${status}`,
          "Ask the operator of the proxy to allow the API's host; NO_PROXY can exclude the host if HTTPS_PROXY sets the proxy",
        )),
  };
}
