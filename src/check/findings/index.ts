import type { Finding } from "../outcome.ts";
import { blocked, gateway, notFound, rateLimit, redirect, unusualSuccess, webPage } from "./answer.ts";
import { clock } from "./clock.ts";
import { hiddenValue, nonceShape, secretShape, tokenShape, usernameShape, whiteSpace } from "./credential.ts";
import type { Evidence, Rule } from "./evidence.ts";
import { suffix } from "./settings.ts";
import { certificate, misspeltHost, notTls, proxyAnswered } from "./transport.ts";

/** All rules, what explains most first: what was measured, then what is possible, then remarks. */
const rules: readonly Rule[] = [
  clock,
  certificate,
  notTls,
  proxyAnswered,
  webPage,
  redirect,
  gateway,
  rateLimit,
  hiddenValue,
  misspeltHost,
  whiteSpace,
  tokenShape,
  secretShape,
  nonceShape,
  usernameShape,
  blocked,
  notFound,
  suffix,
  unusualSuccess,
];

/** The findings of one exchange, ranked. Pure. */
export function findingsOf(evidence: Evidence): readonly Finding[] {
  return rules.flatMap((rule) => rule(evidence) ?? []);
}
