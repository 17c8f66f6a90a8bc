import { headerValue } from "../../http/exchange.ts";
import { unlessSecret } from "../../redaction/redact.ts";
import { type Fix, fix } from "../../settings/fix.ts";
import { endpointPath } from "../../settings/urls.ts";
import type { Finding } from "../result.ts";
import { baseUrl, type Evidence, measured } from "./evidence.ts";

const moved = fix`If the API has moved there, set ${baseUrl} to it; credentials never follow a redirect`;

/** What to set if a redirect leads to the endpoint of another base URL. */
function newBaseUrl({ origin, pathname }: URL, { redact }: Evidence): Fix {
  const base = pathname.replace(/(?<!\/)\/+$/, "");
  return base.endsWith(endpointPath)
    ? fix`Set ${baseUrl} to ${redact(origin + base.slice(0, -endpointPath.length))}`
    : moved;
}

function otherHost(target: URL, location: string, { redact }: Evidence): Finding<Fix> {
  // URL writes the host in lower case. It skips tabs, and reads any number of slashes and backslashes in front of the host.
  const written = /^(?:[a-z]+:)?[\\/]*([^\\/?#]*)/i.exec(location.replaceAll("\t", ""))?.[1] ?? "";
  const host = unlessSecret(target.host, written, redact);
  return measured(
    "redirect-host",
    ["http:", "https:"].includes(target.protocol)
      ? `it redirects to another host: ${target.protocol}//${host}`
      : "it redirects to a URL that is neither http nor https",
    moved,
  );
}

/** Where a redirect leads: to which host, or to which address of the same host. Its query can repeat the credential. */
export function redirectTarget(evidence: Evidence): Finding<Fix> | null {
  const { exchange, url, redact } = evidence;
  // Not redacted, because it is only compared here.
  const location = exchange.kind === "response" ? headerValue(exchange.response, "location") : null;
  if (location === null || !URL.canParse(location, url.href)) return null;
  const target = new URL(location, url.href);
  if (target.hostname !== url.hostname) return otherHost(target, location, evidence);
  const [path, advice] = [redact(target.pathname), newBaseUrl(target, evidence)];
  if (target.origin === url.origin) {
    return target.pathname === `${url.pathname}/`
      ? measured(
          "redirect-path",
          "it redirects to the same path with a slash at its end, which no base URL can give",
          fix`Ask the API's operator to answer ${endpointPath} without the slash`,
        )
      : measured("redirect-path", `it redirects to the path ${path} of the same host`, advice);
  }
  const isUpgrade = url.protocol === "http:" && target.protocol === "https:";
  if (isUpgrade && target.port === "" && url.port === "" && target.pathname === url.pathname) {
    return measured(
      "redirect-https",
      "it redirects to https on the same host",
      fix`Write https:// in ${baseUrl}`,
    );
  }
  return measured(
    isUpgrade ? "redirect-https" : "redirect-host",
    `it redirects to ${redact(target.origin)}${path}`,
    advice,
  );
}
