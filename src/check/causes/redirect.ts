import { headerValue } from "../../http/exchange.ts";
import { masked } from "../../redaction/redact.ts";
import type { Finding } from "../outcome.ts";
import { type Evidence, measured } from "./evidence.ts";

const moved = "If the API has moved there, set the base URL to it; credentials never follow a redirect";

/** Where a redirect leads: its path if the origin stays the same, else the origin. Its query can repeat the credential. */
export function redirectTarget({ exchange, url, redact }: Evidence): Finding | null {
  // Not redacted, because it is only compared here.
  const location = exchange.kind === "response" ? headerValue(exchange.response, "location") : null;
  if (location === null || !URL.canParse(location, url.href)) return null;
  const target = new URL(location, url.href);
  if (target.hostname !== url.hostname) {
    // Redact the host as it was sent: URL writes it in lower case, in which a secret in base64 would not be recognised.
    const [, , written = ""] = location.split("/", 3);
    const host = redact(written) === written ? redact(target.host) : masked;
    return measured(
      "redirect-host",
      ["http:", "https:"].includes(target.protocol)
        ? `it redirects to another host: ${target.protocol}//${host}`
        : "it redirects to a URL that is neither http nor https",
      moved,
    );
  }
  if (url.protocol === "http:" && target.protocol === "https:") {
    return measured(
      "redirect-https",
      "it redirects to https on the same host",
      "Write https:// in the base URL",
    );
  }
  if (target.origin !== url.origin) {
    return measured(
      "redirect-host",
      `it redirects to another port or scheme: ${target.protocol}//${redact(target.host)}`,
      moved,
    );
  }
  return measured(
    "redirect-path",
    `it redirects to the path ${redact(target.pathname)} of the same host`,
    "Check the path of the base URL",
  );
}
