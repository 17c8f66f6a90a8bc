// What people write first, before they read the documentation, and the right shape.
import { meantOrNearest, nearest } from "../settings/nearest.ts";

/** The fields of the library, each with other words for it, as `folded` gives them. */
const otherWords: Readonly<Record<string, string>> = {
  baseUrl: "url uri host hostname server endpoint origin api apiurl",
  timeoutSeconds: "timeout timeoutms timeoutmilliseconds timeoutinseconds deadline",
  retries: "retry maxretries attempts maxattempts retrycount",
  proxy: "proxyurl httpproxy httpsproxy agent dispatcher",
  caCertificates: "ca cacert cacerts cafile cert certs certificates certificate rejectunauthorized",
  insecureHttp: "insecure allowhttp allowinsecure allowinsecurehttp",
  credential: "credentials auth authentication",
  signal: "abort abortsignal abortcontroller controller",
  diagnose: "diagnosis diagnostics explain",
  method: "type kind",
  token: "apikey key apitoken authtoken accesstoken xauthtoken bearer",
  username: "user login email mail name",
  secret: "password pass pwd passwd apisecret",
  digest: "passworddigest convention digestconvention",
  hash: "algorithm hashalgorithm",
  now: "created createdat time date timestamp",
};

const folded = (word: string): string => word.toLowerCase().replace(/[-_]/g, "");

/** The field of the library that is most likely meant, at any place; null if none is. */
function fieldMeant(word: string): string | null {
  const wanted = folded(word);
  const entries = Object.entries(otherWords);
  const found = entries.find(([name, words]) => folded(name) === wanted || words.split(" ").includes(wanted));
  return found?.[0] ?? null;
}

const byToken = '{ method: "token", token }';
const byWsse = '{ method: "wsse", username, secret }';

/** The call that has an object with this field, for each object; the first row that fits counts. */
const calls: ReadonlyArray<readonly [field: string, callWith: (credential: string) => string]> = [
  ["accounts", () => "startEmulator({ accounts: [{ username, secret }] })"],
  ["credential", (credential) => `checkCredentials({ baseUrl, credential: ${credential} })`],
  ["baseUrl", (credential) => `createChecker({ baseUrl }).check(${credential}, { signal, diagnose })`],
  ["diagnose", () => "createChecker({ baseUrl, timeoutSeconds }).check(credential, { signal, diagnose })"],
  ["method", (credential) => `${credential}, or ${credential === byToken ? byWsse : byToken}`],
  ["now", () => "authHeaders(credential, { now, nonce })"],
];

/** The right shape of an object with these fields. `given` are the names that the program wrote, which tell the method. */
export function rightShape(fields: readonly string[], given: readonly string[] = []): string {
  const meant = given.map(fieldMeant);
  const isWsse = meant.includes("username") || meant.includes("secret");
  const callWith = calls.find(([field]) => fields.includes(field))?.[1];
  return callWith?.(isWsse ? byWsse : byToken) ?? `{ ${fields.join(", ")} }`;
}

/** What to write in place of a field that an object with these fields does not have. */
export function insteadOf(unknown: string, fields: readonly string[], shape: string): string {
  const meant = fieldMeant(unknown);
  const known = meant !== null && fields.includes(meant) ? meant : nearest(unknown, fields);
  if (known === null && meant !== null) return `Write ${shape}`;
  return meantOrNearest(unknown, fields, known);
}
