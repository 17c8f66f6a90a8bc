import type { ProxyFacts } from "../../http/failure.ts";
import { noTls } from "../../http/tls.ts";
import { type Fix, fix, flag } from "../../settings/fix.ts";
import type { Finding } from "../result.ts";
import { baseUrl, type Evidence, measured } from "./evidence.ts";
import { apiPeer, type Peer, proxyPeer } from "./peer.ts";
import { connectProblem, lookupProblem } from "./reach.ts";
import { systemCode } from "./tls.ts";

const checkAddress = ({ setting }: Peer): Fix => fix`Check the host and the port of ${setting}`;
const notAProxy = (message: string, proxy: Peer): Finding<Fix> =>
  measured("not-a-proxy", message, checkAddress(proxy));

const unreachable = (message: string, advice: Fix): Finding<Fix> =>
  measured("proxy-unreachable", message, advice);
const refused = (message: string, advice: Fix): Finding<Fix> => measured("proxy-refused", message, advice);

/** Why there is no connection through the proxy. */
export function proxyFinding(facts: ProxyFacts, evidence: Evidence): Finding<Fix> {
  const { failed, code, status } = facts;
  const proxy = proxyPeer(evidence);
  const api = apiPeer(evidence).at(null);
  switch (failed) {
    case "lookup":
    case "connect": {
      const { tried } = evidence.exchange.trace.connection;
      const problem = failed === "lookup" ? lookupProblem(proxy, code) : connectProblem(proxy, tried, code);
      return unreachable(problem.headline, problem.fix);
    }
    case "tls":
      return tlsFinding(code, proxy);
    case "proxy":
      return tunnelFinding(facts, proxy, api);
    case "response":
      if (status !== null) return answerFinding(status, facts, proxy, api);
      if (facts.isMalformed)
        return notAProxy(`what listens at ${proxy.inFull} does not answer in HTTP (${code})`, proxy);
      return unreachable(
        `${proxy.inFull} ended the connection and did not answer CONNECT (${code})`,
        fix`${checkAddress(proxy)}, and ask its operator whether it allows ${api}`,
      );
  }
}

/** Why there is no trusted TLS connection to an https:// proxy itself. */
function tlsFinding(code: string, { inFull: name, setting }: Peer): Finding<Fix> {
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
function tunnelFinding({ code, status }: ProxyFacts, proxy: Peer, api: string): Finding<Fix> {
  const said = `${proxy.inFull} answered CONNECT with ${status}`;
  const checkPort = fix`the port of ${baseUrl}`;
  return systemCode.test(code)
    ? measured(
        "proxy-target",
        `${said}, and the connection ended before anything came through (${code}): it may not reach ${api}, or not allow it`,
        fix`Check ${checkPort}, and ask the operator of ${proxy.setting} whether it allows and reaches ${api}`,
      )
    : measured(
        "not-a-proxy",
        `${said}, but no TLS came through it: it may be no proxy, or ${api} does not speak TLS`,
        fix`${checkAddress(proxy)}, and ${checkPort}`,
      );
}

/** Why a proxy answers CONNECT with a status that opens no tunnel. */
function answerFinding(status: number, facts: ProxyFacts, proxy: Peer, api: string): Finding<Fix> {
  const why = facts.reason === "" ? "" : ` (${facts.reason})`;
  const said = `${proxy.inFull} answered CONNECT with ${status}${why}`;
  if (status === 401 || status === 407) return credentialsFinding(said, facts, proxy.setting);
  if ([400, 404, 405, 501].includes(status))
    return notAProxy(`${said}: it is a web server and no proxy, or it allows no https`, proxy);
  return [500, 502, 503, 504].includes(status)
    ? measured(
        "proxy-target",
        `${said}: it could not reach ${api}`,
        fix`Check the host and the port of ${baseUrl}, then ask the operator of the proxy why it cannot reach them`,
      )
    : refused(
        said,
        fix`Ask the operator of the proxy to allow the API's host; NO_PROXY can exclude the host if HTTPS_PROXY sets the proxy`,
      );
}

function credentialsFinding(
  said: string,
  { hasCredentials, schemes }: ProxyFacts,
  setting: Fix,
): Finding<Fix> {
  if (schemes.length > 0 && !schemes.some((scheme) => scheme.toLowerCase() === "basic")) {
    return refused(
      `${said}: it asks for credentials by ${schemes.slice(0, 3).join(", ")}, and this tool offers Basic alone`,
      fix`Ask the operator of the proxy for Basic authentication, or for a proxy that needs none`,
    );
  }
  return hasCredentials
    ? refused(
        `${said}: it refused the user and password of its URL`,
        fix`Check the user and the password in the URL of ${setting}; percent-encode characters such as @, : and /`,
      )
    : refused(
        `${said}: it asks for credentials of its own`,
        fix`Write the user and the password into the URL of ${setting}: http://USER:PASSWORD@HOST:PORT`,
      );
}
