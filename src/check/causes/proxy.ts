// Why a proxy opens no tunnel to the API. What it answered to CONNECT is quoted; only a 407 says more by itself.

import { type Fix, fix, theBaseUrl } from "../../settings/fix.ts";
import type { Cause } from "../check-context.ts";
import { schemesIn } from "../read/challenge.ts";
import { hiddenInFields } from "../read/quotes.ts";
import { type Finding, type FindingId, measured } from "../result.ts";
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

const askOperator = ({ api, peer }: Failed): Fix =>
  fix`${checkHostAndPort(peer)}, and ask its operator whether it allows and reaches ${api.at(null)}`;

/** What a proxy answered to CONNECT, as it came. A network that wants a login says with Location where. */
function answerOf({ failure: { answer }, peer }: Failed): string {
  const status = `${answer?.status} ${answer?.reason}`.trimEnd();
  const location = answer?.location ? `, ${hiddenInFields(`Location: ${answer.location}`)}` : "";
  return `${peer.inFull} answered CONNECT with ${status}${location}`;
}

/** Why no TLS came through a proxy that said that the way is open. */
export const tunnelCause: FailureRow = (failed) => {
  const { failure, peer, api } = failed;
  const { code } = failure;
  const ask = askOperator(failed);
  if (code === null)
    return {
      headline: `${peer.inFull} opened the way to ${api.at(null)}, and nothing came through it`,
      fix: ask,
    };
  return systemCode.test(code)
    ? cause(
        "proxy-unreachable",
        `${answerOf(failed)}, and the connection ended before anything came through (${code})`,
        ask,
      )
    : cause(
        "other-protocol",
        `${answerOf(failed)}, but no TLS came through it: it may be no proxy, or ${api.at(null)} does not speak TLS`,
        fix`${checkHostAndPort(peer)}, and the port of ${theBaseUrl}`,
      );
};

/** Why a proxy opens no tunnel: what it answered to CONNECT, or that it did not. */
export const answerCause: FailureRow = (failed) => {
  const { failure, broken, peer } = failed;
  const { code, answer } = failure;
  const hasBegun = failure.received === "head";
  const ask = askOperator(failed);
  if (code === null)
    return {
      headline: hasBegun
        ? `${peer.inFull} began to answer CONNECT, but its answer did not end`
        : `${peer.inFull} did not answer CONNECT`,
      fix: ask,
    };
  if (answer?.status === 407) {
    const schemes = wantedSchemes(failed).slice(0, mostSchemes).join(", ");
    const headline = `${answerOf(failed)}: it wants credentials${schemes && ` by ${schemes}`}`;
    return cause("proxy-refused", headline, credentialsFix(failed));
  }
  if (answer !== null) return cause("proxy-refused", answerOf(failed), ask);
  if (systemCode.test(code))
    return {
      headline: hasBegun
        ? `${peer.inFull} ended the connection in the middle of its answer to CONNECT (${code})`
        : `${peer.inFull} ended the connection and did not answer CONNECT (${code})`,
      fix: ask,
    };
  return broken?.isHttp
    ? {
        ...brokenHttp(fix`the operator of ${peer.setting}`),
        headline: `${peer.inFull} answered CONNECT, and the answer is not valid HTTP (${code})`,
      }
    : cause(
        "other-protocol",
        `what listens at ${peer.inFull} does not answer in HTTP (${code})`,
        checkHostAndPort(peer),
      );
};

/** The schemes by which a proxy wants credentials. Its field has the grammar of WWW-Authenticate (RFC 9110, section 11.7.1). */
const wantedSchemes = ({ failure }: Failed): readonly string[] => [
  ...new Set(failure.answer?.challenges.flatMap((challenge) => schemesIn(challenge) ?? [])),
];

// A field can hold any number of them.
const mostSchemes = 3;

function credentialsFix(failed: Failed): Fix {
  const { setting } = failed.peer;
  const schemes = wantedSchemes(failed);
  if (schemes.length > 0 && !schemes.some((scheme) => scheme.toLowerCase() === "basic"))
    return fix`Ask the operator of ${setting} for Basic, which alone this tool offers, or name a local relay that logs in for you`;
  return failed.failure.answer?.hadCredentials
    ? fix`Check the user and the password in the URL of ${setting}; percent-encode characters such as @, : and /`
    : fix`Write the user and the password into the URL of ${setting}: http://USER:PASSWORD@HOST:PORT`;
}
