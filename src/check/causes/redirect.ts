import { type Fix, fix } from "../../settings/fix.ts";
import { endpointPath } from "../../settings/urls.ts";
import { type Finding, measured } from "../result.ts";
import { baseUrl, type Evidence } from "./evidence.ts";

const moved = fix`If the API has moved there, set ${baseUrl} to it; credentials never follow a redirect`;

/** Where a redirect leads: to which host, or to which address of the same host. */
export function redirectTarget({ exchange, url }: Evidence): Finding<Fix> | null {
  const target = exchange.kind === "response" ? exchange.response.redirectOf(url) : null;
  if (target === null) return null;
  const { origin, path } = target;
  if (!target.isSameHost)
    return measured(
      "redirect-host",
      target.isHttp
        ? `it redirects to another host: ${origin}`
        : "it redirects to a URL that is neither http nor https",
      moved,
    );
  const elsewhere =
    target.isSameOrigin || target.isUpgrade
      ? moved
      : fix`Check the scheme and the port of ${baseUrl}: the server names others`;
  const advice = target.baseUrl === null ? elsewhere : fix`Set ${baseUrl} to ${target.baseUrl}`;
  if (target.isSameOrigin)
    return target.addsSlash
      ? measured(
          "redirect-path",
          "it redirects to the same path with a slash at its end, which no base URL can give",
          fix`Ask the API's operator to answer ${endpointPath} without the slash`,
        )
      : measured("redirect-path", `it redirects to the path ${path} of the same host`, advice);
  if (target.isUpgrade && target.usualPorts && target.isSamePath)
    return measured(
      "redirect-https",
      "it redirects to https on the same host",
      fix`Write https:// in ${baseUrl}`,
    );
  return measured(
    target.isUpgrade ? "redirect-https" : "redirect-host",
    `it redirects to ${origin}${path}`,
    advice,
  );
}
