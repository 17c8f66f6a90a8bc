import { type HttpResponse, headerValues } from "../../http/exchange.ts";

/** The fields in which caches say how they answered: RFC 9211, and those of Squid, CloudFront, nginx and Cloudflare. */
const markFields = ["Cache-Status", "X-Cache", "X-Cache-Status", "X-Proxy-Cache", "CF-Cache-Status"];

/** Whether one of a field's elements names a hit. An element of Cache-Status has the name of the cache and parameters. */
function namesHit(field: string): boolean {
  return (
    field
      // Without its last quotation mark a string ends with the field. So the pattern never starts again inside one.
      .replace(/"(?:[^"\\]|\\.?)*("|$)/gs, (text, end) => (end === "" ? text : ""))
      .split(/[,;]/)
      .some((element) => /^\s*(?:hit(?!-for-pass|=\?0)|tcp_hit|refreshhit)/i.test(element))
  );
}

/** The field which shows that a cache made the response for another request; null if none does. Pure. */
export function cacheMark(response: Pick<HttpResponse, "headers">): string | null {
  // An Age of 0 is no mark: the response can be fresh. One that is no number is ignored (RFC 9111, section 5.1).
  const ages = headerValues(response, "age").join(", ");
  if (ages.split(",").some((age) => /^\s*0*[1-9]\d*\s*$/.test(age))) return `Age: ${ages}`;
  for (const name of markFields) {
    const value = headerValues(response, name.toLowerCase()).find(namesHit);
    if (value !== undefined) return `${name}: ${value}`;
  }
  return null;
}
