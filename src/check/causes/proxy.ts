// Why a proxy opens no tunnel to the API.

import type { ProxyAnswer } from "../../http/failure.ts";
import { type Fix, fix, flag, theBaseUrl } from "../../settings/fix.ts";
import { schemesIn } from "../read/challenge.ts";
import { type Finding, type FindingId, measured } from "../result.ts";
import type { Cause } from "./evidence.ts";
import type { Failed, FailureRow } from "./peer.ts";
import { checkHostAndPort } from "./reach.ts";
import { systemCode } from "./tls.ts";

const cause = (id: FindingId, headline: string, advice: Fix): Cause => ({ id, headline, fix: advice });

/** The evidence of HTTP that breaks a rule, and whom to ask. What came is quoted beside it. */
export const brokenHttp = (operator: Fix): Finding<Fix> =>
  measured(
    "broken-http",
    "the answer breaks a rule of HTTP; curl may accept it",
    fix`Ask ${operator} to send valid HTTP: other clients refuse this too`,
  );

const whetherItReaches = ({ api }: Failed): Fix => fix`whether it allows and reaches ${api.at(null)}`;

/** Why no TLS came through a proxy that said that the way is open. */
export const tunnelCause: FailureRow = (failed) => {
  const { failure, peer, api } = failed;
  const { code, answer } = failure;
  const checkPort = fix`the port of ${theBaseUrl}`;
  const ask = fix`Check ${checkPort}, and ask the operator of ${peer.setting} ${whetherItReaches(failed)}`;
  if (code === null)
    return {
      headline: `${peer.inFull} opened the way to ${api.at(null)}, and nothing came through it`,
      fix: ask,
    };
  const said = `${peer.inFull} answered CONNECT with ${answer?.status}`;
  return systemCode.test(code)
    ? cause(
        "proxy-target",
        `${said}, and the connection ended before anything came through (${code}): it may not reach ${api.at(null)}, or not allow it`,
        ask,
      )
    : cause(
        "not-a-proxy",
        `${said}, but no TLS came through it: it may be no proxy, or ${api.at(null)} does not speak TLS`,
        fix`${checkHostAndPort(peer)}, and ${checkPort}`,
      );
};

/** Why a proxy opens no tunnel: what it answered to CONNECT, or that it did not. */
export const answerCause: FailureRow = (failed) => {
  const { failure, broken, peer, api } = failed;
  const { code, answer, reason } = failure;
  const hasBegun = failure.received === "head";
  const check = checkHostAndPort(peer);
  if (code === null)
    return {
      headline: hasBegun
        ? `${peer.inFull} began to answer CONNECT, but its answer did not end`
        : `${peer.inFull} did not answer CONNECT`,
      fix: fix`${check}, and ask its operator ${whetherItReaches(failed)}`,
    };
  if (answer === null)
    return systemCode.test(code)
      ? {
          headline: hasBegun
            ? `${peer.inFull} ended the connection in the middle of its answer to CONNECT (${code})`
            : `${peer.inFull} ended the connection and did not answer CONNECT (${code})`,
          fix: fix`${check}, and ask its operator whether it allows ${api.at(null)}`,
        }
      : broken?.isHttp
        ? {
            ...brokenHttp(fix`the operator of ${peer.setting}`),
            headline: `${peer.inFull} answered CONNECT, and the answer is not valid HTTP (${code})`,
          }
        : cause("not-a-proxy", `what listens at ${peer.inFull} does not answer in HTTP (${code})`, check);
  const { status } = answer;
  const said = `${peer.inFull} answered CONNECT with ${status}${reason === "" ? "" : ` (${reason})`}`;
  if (status === 401 || status === 407) return credentialsCause(said, answer, failed);
  if ((status >= 300 && status < 400 && status !== 304) || status === 511)
    return cause(
      "proxy-refused",
      `${said}: it wants a login first`,
      fix`Log in at ${peer.setting} with a web browser that uses it, or ask its operator to let ${api.at(null)} through without a login`,
    );
  if (status === 429)
    return cause(
      "proxy-refused",
      `${said}: it limits connections`,
      fix`Try again later, or lower ${flag("concurrency")}; else ask the operator of the proxy for its limit`,
    );
  if ([400, 404, 405, 501].includes(status))
    return cause("not-a-proxy", `${said}: it is a web server and no proxy, or it allows no https`, check);
  return status >= 500
    ? cause(
        "proxy-target",
        `${said}: it could not reach ${api.at(null)}`,
        fix`Check host and port of ${theBaseUrl}, then ask the operator of the proxy why it cannot reach them`,
      )
    : cause(
        "proxy-refused",
        said,
        // Squid's own configuration allows CONNECT to port 443 alone.
        fix`Ask the operator of the proxy to allow ${api.at(null)}, host and port; NO_PROXY can exclude the host if HTTPS_PROXY sets the proxy`,
      );
};

function credentialsCause(
  said: string,
  { challenges, hadCredentials }: ProxyAnswer,
  { peer: { setting }, api }: Failed,
): Cause {
  // Proxy-Authenticate has the grammar of WWW-Authenticate (RFC 9110, section 11.7.1).
  const schemes = challenges.flatMap((challenge) => schemesIn(challenge) ?? []);
  if (schemes.length > 0 && schemes.every((scheme) => /^(?:negotiate|ntlm|kerberos)$/i.test(scheme)))
    return cause(
      "proxy-refused",
      `${said}: it asks for a login of Windows (${[...new Set(schemes)].slice(0, 3).join(", ")}), and this tool offers Basic alone`,
      fix`Run a local relay that logs in for you, such as cntlm or px, and name it with ${flag("proxy")}; or ask the operator of the proxy to let ${api.at(null)} through without a login`,
    );
  if (schemes.length > 0 && !schemes.some((scheme) => scheme.toLowerCase() === "basic"))
    return cause(
      "proxy-refused",
      `${said}: it asks for credentials by ${schemes.slice(0, 3).join(", ")}, and this tool offers Basic alone`,
      fix`Ask the operator of the proxy for Basic authentication, or for a proxy that needs none`,
    );
  return hadCredentials
    ? cause(
        "proxy-refused",
        `${said}: it refused the user and password of its URL`,
        fix`Check the user and the password in the URL of ${setting}; percent-encode characters such as @, : and /`,
      )
    : cause(
        "proxy-refused",
        `${said}: it asks for credentials of its own`,
        fix`Write the user and the password into the URL of ${setting}: http://USER:PASSWORD@HOST:PORT`,
      );
}
