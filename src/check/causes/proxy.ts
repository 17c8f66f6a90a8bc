import type { ProxyFacts } from "../../http/failure.ts";
import { noTls } from "../../http/tls.ts";
import { type Fix, fix, flag, nowSet } from "../../settings/fix.ts";
import type { Finding } from "../result.ts";
import { type Cause, type Evidence, measured } from "./evidence.ts";
import { apiPeer, proxyPeer } from "./peer.ts";
import { connectProblem, lookupProblem } from "./reach.ts";
import { systemCode } from "./tls.ts";

/** The proxy as a sentence names it, its setting, and the API's host and port. */
interface Names {
  readonly name: string;
  readonly setting: Fix;
  readonly api: string;
}

const checkAddress = ({ setting }: Names): Fix => fix`Check the host and the port of ${setting}`;
const notAProxy = (message: string, names: Names): Finding<Fix> =>
  measured("not-a-proxy", message, checkAddress(names));

const unreachable = (message: string, advice: Fix): Finding<Fix> =>
  measured("proxy-unreachable", message, advice);

/** Why there is no connection through the proxy. */
export function proxyCause(facts: ProxyFacts, evidence: Evidence): Cause {
  const cause = finding(facts, evidence);
  return { headline: cause.message, ...cause };
}

function finding(facts: ProxyFacts, evidence: Evidence): Finding<Fix> {
  const { failed, code, status } = facts;
  const { address, tried } = evidence.exchange.trace.connection;
  const proxy = proxyPeer(evidence);
  const name = proxy.at(address);
  const names = { name, setting: proxy.setting, api: apiPeer(evidence).at(null) };
  switch (failed) {
    case "lookup": {
      const { headline, fix: advice } = lookupProblem(proxy, code);
      return unreachable(headline, advice);
    }
    case "connect": {
      const { headline, fix: advice } = connectProblem(proxy, tried, code);
      return unreachable(headline, advice);
    }
    case "tls":
      return tlsFinding(code, names);
    case "proxy":
      return tunnelFinding(facts, names);
    case "response":
      if (status !== null) return answerFinding(status, facts, names);
      if (facts.isMalformed)
        return notAProxy(`what listens at ${name} does not answer in HTTP (${code})`, names);
      return unreachable(
        `${name} ended the connection and did not answer CONNECT (${code})`,
        fix`${checkAddress(names)}, and ask its operator whether it allows ${names.api}`,
      );
  }
}

/** Why there is no trusted TLS connection to an https:// proxy itself. */
function tlsFinding(code: string, { name, setting }: Names): Finding<Fix> {
  if (noTls.test(code))
    return unreachable(
      `${name} answered, but does not speak TLS (${code})`,
      fix`Write http:// in the address of ${setting}`,
    );
  if (systemCode.test(code))
    return unreachable(
      `${name} ended the connection in the TLS handshake (${code})`,
      fix`Check the port of ${setting}, and write http:// in its address if it does not speak TLS`,
    );
  return unreachable(
    `there is no trusted TLS connection to ${name} itself (${code})`,
    /SELF_SIGNED|UNABLE_TO_(?:GET|VERIFY)/.test(code)
      ? fix`Give the certificate of the CA of ${setting} with ${flag("caCert")}`
      : fix`Check the host of ${setting}, and tell the proxy's operator this code`,
  );
}

/** Why no TLS came through a proxy that said that the way is open. */
function tunnelFinding({ code, status, hasContent }: ProxyFacts, names: Names): Finding<Fix> {
  const { name, setting, api } = names;
  const said = `${name} answered CONNECT with ${status}`;
  if (hasContent) return notAProxy(`${said} and content of its own: it is a web server and no proxy`, names);
  const checkPort = fix`the port of the base URL ${nowSet("baseUrl")}`;
  return systemCode.test(code)
    ? measured(
        "proxy-target",
        `${said}, and the connection ended before anything came through (${code}): it may not reach ${api}, or not allow it`,
        fix`Check ${checkPort}, and ask the operator of ${setting} whether it allows and reaches ${api}`,
      )
    : measured(
        "not-a-proxy",
        `${said}, but no TLS came through it: it may be no proxy, or ${api} does not speak TLS`,
        fix`${checkAddress(names)}, and ${checkPort}`,
      );
}

/** Why a proxy answers CONNECT with a status that opens no tunnel. */
function answerFinding(status: number, facts: ProxyFacts, names: Names): Finding<Fix> {
  const { name, setting, api } = names;
  const why = facts.reason === "" ? "" : ` (${facts.reason})`;
  const said = `${name} answered CONNECT with ${status}${why}`;
  switch (status) {
    case 401:
    case 407:
      return credentialsFinding(said, facts, setting);
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
  setting: Fix,
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
        fix`Check the user and the password in the URL of ${setting}; percent-encode characters such as @, : and /`,
      )
    : measured(
        "proxy-refused",
        `${said}: it asks for credentials of its own`,
        fix`Write the user and the password into the URL of ${setting}: http://USER:PASSWORD@HOST:PORT`,
      );
}
