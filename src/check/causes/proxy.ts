import { shownHost } from "../../http/connect.ts";
import type { ProxyFacts } from "../../http/failure.ts";
import { type Fix, fix, flag, nowSet } from "../../settings/fix.ts";
import type { Finding } from "../result.ts";
import { type Cause, type Evidence, measured } from "./evidence.ts";
import { exhausted } from "./exhausted.ts";

/** The proxy as a sentence names it, the place where it is set, and the API's host and port. */
interface Names {
  readonly name: string;
  readonly place: string;
  readonly api: string;
}

const checkAddress = ({ place }: Names): Fix => fix`Check the address and the port of the proxy (${place})`;
const notAProxy = (message: string, names: Names): Finding<Fix> =>
  measured("not-a-proxy", message, checkAddress(names));

/** Why there is no connection through the proxy. */
export function proxyCause(facts: ProxyFacts, { hints, url, redact }: Evidence): Cause {
  const proxy = shownHost(facts.host);
  const place = `set by ${hints.placeOf("proxy")}`;
  const names = {
    name: `${proxy}:${facts.port} (${place})`,
    place,
    api: `${redact(url.hostname)} port ${url.port || "443"}`,
  };
  const headline = `no connection through the proxy ${proxy} port ${facts.port} (${facts.failed === "proxy" ? facts.code : (facts.status ?? facts.code)})`;
  return { headline, ...finding(facts, names) };
}

function finding(facts: ProxyFacts, names: Names): Finding<Fix> {
  const { failed, code, status, isMalformed } = facts;
  const { name, place, api } = names;
  if (failed === "proxy") {
    const said = `the proxy ${name} answered CONNECT with ${status}`;
    return facts.hasContent
      ? notAProxy(`${said} and content of its own: it is a web server and no proxy`, names)
      : measured(
          "not-a-proxy",
          `${said}, but no TLS came through it: it may be no proxy, or ${api} does not speak TLS`,
          fix`${checkAddress(names)}, and the port of the base URL ${nowSet("baseUrl")}`,
        );
  }
  if (status !== null) return answerFinding(status, facts, names);
  const missing = exhausted(code);
  if (missing !== null) {
    return measured("proxy-unreachable", `no connection to the proxy ${name}: ${missing.what}`, missing.fix);
  }
  if (failed === "lookup") {
    return measured(
      "proxy-unreachable",
      `there is no host for the proxy ${name} (${code})`,
      checkAddress(names),
    );
  }
  if (failed === "tls") {
    return measured(
      "proxy-unreachable",
      `there is no trusted TLS connection to the proxy ${name} itself (${code})`,
      fix`Give its CA's certificate with ${flag("caCert")}, or write http:// in its address if it does not speak TLS (${place})`,
    );
  }
  if (isMalformed) return notAProxy(`what listens at ${name} does not answer in HTTP (${code})`, names);
  return measured(
    "proxy-unreachable",
    `the proxy ${name} cannot be reached or broke the connection (${code})`,
    fix`Check the address of the proxy (${place}), and whether the proxy runs`,
  );
}

/** Why a proxy answers CONNECT with a status that opens no tunnel. */
function answerFinding(status: number, facts: ProxyFacts, names: Names): Finding<Fix> {
  const { name, place, api } = names;
  const why = facts.reason === "" ? "" : ` (${facts.reason})`;
  const said = `the proxy ${name} answered CONNECT with ${status}${why}`;
  switch (status) {
    case 401:
    case 407:
      return credentialsFinding(said, facts, place);
    case 500:
    case 502:
    case 503:
    case 504:
      return measured(
        "proxy-target",
        `${said}: it could not reach ${api}`,
        fix`Check the host and the port of the base URL ${nowSet("baseUrl")}, then ask the operator of the proxy why it cannot reach them`,
      );
    case 400:
    case 404:
    case 405:
    case 501:
      return notAProxy(`${said}: it is a web server and no proxy, or it allows no https`, names);
    default:
      return measured(
        "proxy-refused",
        said,
        fix`Ask the operator of the proxy to allow the API's host; NO_PROXY can exclude the host if HTTPS_PROXY sets the proxy`,
      );
  }
}

function credentialsFinding(
  said: string,
  { hasCredentials, schemes }: ProxyFacts,
  place: string,
): Finding<Fix> {
  if (schemes.length > 0 && !schemes.some((scheme) => scheme.toLowerCase() === "basic")) {
    return measured(
      "proxy-refused",
      `${said}: it asks for credentials by ${schemes.slice(0, 3).join(", ")}, and this tool offers Basic alone`,
      fix`Ask the operator of the proxy for Basic authentication, or for a proxy that needs none`,
    );
  }
  return hasCredentials
    ? measured(
        "proxy-refused",
        `${said}: it refused the user and password of its URL`,
        fix`Check the user and the password in the proxy's URL (${place}); percent-encode characters such as @, : and /`,
      )
    : measured(
        "proxy-refused",
        `${said}: it asks for credentials of its own`,
        fix`Write the proxy's user and password into its URL (${place}): http://USER:PASSWORD@HOST:PORT`,
      );
}
