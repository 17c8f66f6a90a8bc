import { type Fix, fix, nowSet } from "../../settings/fix.ts";
import type { Finding } from "../result.ts";
import { type Evidence, measured, possible, type Rule } from "./evidence.ts";

// The words of nginx (and Cloudflare, OpenResty), Apache, Go (and Caddy, Traefik), Tomcat.
const expectsHttps =
  /plain HTTP request was sent to HTTPS port|speaking plain HTTP to an SSL-enabled server port|sent an HTTP request to an HTTPS server|combination of host and port requires TLS/i;
// The words of nginx, Apache and IIS.
const wantsCertificate =
  /No required SSL certificate was sent|The SSL certificate error|Cannot perform Post-Handshake Authentication|client certificate is required/i;

/** What to do if a port expects TLS. */
export const writeHttps = fix`Write https:// in the base URL ${nowSet("baseUrl")}`;

/** What a web server says of itself in its own page; null if it says nothing that is known here. */
export function ownWords({ outcome, exchange }: Evidence): Finding<Fix> | null {
  if (outcome.kind !== "unexpected" || exchange.kind !== "response") return null;
  const page = new TextDecoder().decode(exchange.response.body);
  if (expectsHttps.test(page)) {
    return measured("https-expected", "the server says that this port expects https", writeHttps);
  }
  return wantsCertificate.test(page)
    ? measured(
        "client-certificate",
        "the server says that it wants a client certificate, which this tool does not send",
        fix`Ask the server's operator for an address that needs no client certificate`,
      )
    : null;
}

// Many servers that speak only TLS close the connection without an answer.
const silentTls: Rule = ({ outcome, url }) => {
  const isSilent =
    outcome.kind === "unreachable" && "received" in outcome.failure && outcome.failure.received === "nothing";
  return isSilent && url.protocol === "http:"
    ? possible("https-expected", `port ${url.port || "80"} may expect https`, writeHttps)
    : null;
};

/** What a server wants of the connection. */
export const pageRules: readonly Rule[] = [ownWords, silentTls];
