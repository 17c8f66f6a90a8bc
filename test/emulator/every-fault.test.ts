import { expect, test } from "vitest";
import { knownAccounts } from "../../src/emulator/accounts.ts";
import { judge } from "../../src/emulator/judge.ts";
import type { WsseInput } from "../../src/wsse/header.ts";
import * as support from "./support.ts";

const { authenticated, headerWith, known, noBody, nonce, now, unsteered, withToken, withWsse, wsse } =
  support;

const attribute = (text: string) => (header: string) => header.replace(/ Nonce=/, ` ${text}="x", Nonce=`);

interface Fault {
  readonly signed?: Partial<WsseInput>;
  readonly changed?: (header: string) => string;
  readonly says: RegExp;
}

/** What is wrong with a request: how it is signed or changed, and what the log says of it. */
const faults = {
  stale: { signed: { now: now - 400_000 }, says: /^stale: Created is 400 s behind this server/ },
  future: { signed: { now: now + 400_000 }, says: /^stale: Created is 400 s ahead of this server/ },
  "a used nonce": { signed: { nonce }, says: /^replayed: the Nonce has been used before$/ },
  "another convention": { signed: { digest: "hex-digest" }, says: /^digest: matches hex-digest/ },
  "another hash": { signed: { hash: "sha512" }, says: /^digest: matches (?:hex-digest with )?sha512/ },
  "another secret": { signed: { secret: "other" }, says: /^digest: does not match text-nonce with sha1$/ },
  "an unknown username": {
    signed: { username: "a@b.cd" },
    says: /^unknown user: .*"a@b.cd".* so the digest cannot be judged$/,
  },
  "a fifth attribute": { changed: attribute("Realm"), says: /^malformed: .*an attribute Realm;/ },
  "a name in lower case": {
    changed: (header: string) => header.replace("Created=", "created="),
    says: /^malformed: .*an attribute created; write Created/,
  },
  "no comma": {
    changed: (header: string) => header.replace(/, (?=created=)/i, " "),
    says: /^malformed: .*no comma at character \d+/,
  },
  "no Authorization": { says: /^authorization: / },
  "a token as well": { says: /^malformed: both X-WSSE and X-Auth-Token were sent$/ },
} as const satisfies Record<string, Fault>;
type Name = keyof typeof faults;
const names = Object.keys(faults) as Name[];

/** Faults of which a request can have only one, or of which the first hides the others. */
const excluding: readonly (readonly Name[])[] = [
  ["stale", "future"],
  ["another secret", "another convention"],
  ["another secret", "another hash"],
  ["an unknown username", "another secret"],
  ["an unknown username", "another convention"],
  ["an unknown username", "another hash"],
];

const combinations = names
  .reduce<Name[][]>((sets, name) => sets.flatMap((set) => [set, [...set, name]]), [[]])
  .filter((set) => !excluding.some((pair) => pair.every((name) => set.includes(name))));

function sent(set: readonly Name[]) {
  const rows: readonly Fault[] = set.map((name) => faults[name]);
  const signed = Object.assign({}, ...rows.map((row) => row.signed));
  const header = rows.reduce((text, row) => row.changed?.(text) ?? text, wsse(signed));
  return {
    ...withWsse(header),
    ...(set.includes("no Authorization") ? {} : { authorization: ['WSSE profile="UsernameToken"'] }),
    ...(set.includes("a token as well") ? withToken(known.token) : {}),
  };
}

test(`each of ${combinations.length} combinations of faults is named whole, and nothing else is`, () => {
  expect(combinations.length).toBeGreaterThan(500);
  for (const set of combinations) {
    const nonces = new Set<string>();
    const rules = { authorization: "wsse", nonces } as const;
    expect(authenticated({ ...sent([]), ...withWsse(wsse({ nonce })) }, rules).status).toBe(200);

    const { status, reasons } = authenticated(sent(set), rules);

    const said = reasons.map(({ rule, detail }) => `${rule}: ${detail}`);
    const problem = `${set.join(", ")}: ${said.join("; ")}`;
    expect(status, problem).toBe(set.length === 0 ? 200 : 401);
    for (const name of names) {
      expect(
        said.some((one) => faults[name].says.test(one)),
        `${name} in ${problem}`,
      ).toBe(set.includes(name));
    }
  }
});

test.each([
  [false, ["digest", "malformed", "replayed"]],
  [true, ["digest", "malformed", "malformed", "replayed"]],
])("an impossible Created is named with the rest, and with --strict %s the shapes", (strict, rules) => {
  const nonces = new Set<string>();
  expect(authenticated(withWsse(wsse({ nonce })), { nonces }).status).toBe(200);
  const sent = headerWith(Buffer.from(nonce).toString("hex"), "2026-02-30T00:00:00Z", { hash: "sha256" });
  expect(authenticated(sent, { nonces, strict }).reasons.map(({ rule }) => rule)).toEqual(rules);
});

test("what is malformed in several ways is named in all, five at most", () => {
  const named = (text: string) => authenticated(withWsse(text)).reasons[0]?.detail.split("; X-WSSE ").length;
  const secret = "AbCdEfGhIjKl";
  const [shown] = authenticated(withWsse(`UsernameToken ${secret}="x"`), { secret }).reasons;
  expect(shown?.detail).toBe("[secret]; [secret]");
  expect(named('usernametoken username="a", Realm="b"')).toBe(4);
  expect(named(`UsernameToken ${Array.from({ length: 99 }, (_, at) => `a${"x".repeat(at)}="b"`)}`)).toBe(5);
});

test("a wrong path or method does not hide the credentials' faults, and uses up no nonce", () => {
  const accounts = knownAccounts([known]);
  const nonces = new Set<string>();
  const service = { ...unsteered, accounts, nonces };
  const at = { hosts: ["localhost:1"], address: "127.0.0.1", port: 1, isSecure: false };
  const rulesOf = (method: string, path: string, header: string) =>
    judge(
      { ...at, method, path, target: path, headers: withWsse(header) },
      noBody,
      service,
      now / 1000,
    ).reasons.map(({ rule }) => rule);
  const path = "/test-authentication";
  expect(rulesOf("GET", "/x", wsse({ now: 0, hash: "sha256" }))).toEqual(["path", "digest", "stale"]);
  expect(rulesOf("POST", path, wsse({ username: "a@b.cd" }))).toEqual(["method", "unknown user"]);
  expect(rulesOf("POST", path, wsse({ nonce }))).toEqual(["method"]);
  expect(rulesOf("OPTIONS", path, wsse({ nonce }))).toEqual(["options"]);
  expect(rulesOf("GET", path, wsse({ nonce }))).toEqual(["accepted"]);
});
