import { escapeText } from "../report/escape.ts";
import { authenticate, judge, type Service } from "./authenticate.ts";
import { because, type Decision, decided, faults } from "./decision.ts";
import type { EmulatorRequest } from "./requests.ts";

/** The one path of the specification (section 4). */
export const onlyPath = "/test-authentication";

/** Decides how to answer a request whose body has been read. Changes the memory of nonces only. */
export function decide(request: EmulatorRequest, service: Service, nowSeconds: number): Decision {
  const { accounts, allowHosts, answer } = service;
  const source = sourceError(request, allowHosts, accounts.shown);
  if (source !== null) return source;
  const target = targetError(request, answer !== null);
  if (target !== null) {
    if (answer !== null || request.method === "OPTIONS") return target;
    const judgement = judge(request.headers, service, nowSeconds);
    return { ...target, reasons: [...target.reasons, ...judgement.faults] };
  }
  if (answer !== null) {
    const reason = because("forced", `answer ${answer}`);
    if (typeof answer === "number") return decided(answer, reason);
    return decided(faults[answer].status, reason, { instead: faults[answer] });
  }
  if (request.method === "OPTIONS") return decided(204, because("options"), { accepted: true });

  const decision = authenticate(request.headers, service, nowSeconds);
  const {
    account,
    reasons: [first, ...others],
  } = decision;
  if (account === null || accounts.all.length === 1 || first === undefined) return decision;
  const name = escapeText(account.profile ?? account.username);
  return { ...decision, reasons: [because(first.rule, `${first.detail} (${name})`), ...others] };
}

/** Refuses every path and method but those of the specification (section 4). A forced answer applies to every method. */
function targetError({ path, method }: EmulatorRequest, isForced: boolean): Decision | null {
  if (path !== onlyPath) {
    const hint = path.endsWith(onlyPath) ? "; the base URL has no path here" : "";
    return decided(404, because("path", `only ${onlyPath} exists${hint}`));
  }
  if (isForced || method === "GET" || method === "OPTIONS") return null;
  return decided(405, because("method", "only GET and OPTIONS are offered"));
}

/** An address as a URL writes it. */
export function hostOf(address: string): string {
  return address.includes(":") ? `[${address}]` : address;
}

/**
 * Why not to answer a request: it is for another host, or from a web page. Any page in a browser can reach a loopback port,
 * by DNS rebinding or a cross-origin request. Null if neither is so. `shown` makes text of the request fit for a log.
 */
export function sourceError(
  { hosts, headers, address, port }: Omit<EmulatorRequest, "method" | "path">,
  allowed: readonly string[],
  shown: (text: string) => string,
): Decision | null {
  const [host] = hosts;
  // RFC 9112, section 3.2: exactly one, else 400.
  if (host === undefined) return decided(400, because("host", "there is no Host header"));
  if (hosts.length > 1) return decided(400, because("host", "Host was sent more than once"));
  // A socket for both families shows an IPv4 address as an IPv6 one.
  const own = hostOf(address.replace(/^::ffff:(?=[\d.]+$)/, ""));
  // Clients leave out the default port of http.
  const [, name = "", sentPort = "80"] = /^(\[[^\]]*\]|[^:]*)(?::(\d+))?$/.exec(host.toLowerCase()) ?? [];
  const isOwn = [own, "127.0.0.1", "localhost", "[::1]"].includes(name) && Number(sentPort) === port;
  if (!isOwn && !allowed.includes(name) && !allowed.includes(`${name}:${sentPort}`)) {
    const names = `this server is ${own}:${port}; the request is for "${shown(host)}"`;
    return decided(421, because("host", `${names}; other names need --allow-host (allowHosts)`));
  }
  const [origin] = headers.origin ?? [];
  if (origin === undefined) return null;
  return decided(
    403,
    because("origin", `web pages may not use this server; this request is from "${shown(origin)}"`),
  );
}
