import { expect, test } from "vitest";
import type { Source } from "../../src/settings/source.ts";
import {
  type CredentialPart,
  type RouteSources,
  travelRefusal,
  trustOf,
  trustOfPart,
} from "../../src/settings/trust.ts";

const rc = (trust: "yours" | "found"): Source => ({
  kind: "rc",
  file: `/${trust}/.referralrc`,
  line: 3,
  key: "k",
  trust,
});
const yours: readonly Source[] = [
  { kind: "flag", flag: "--given" },
  { kind: "environment", variable: "REFERRAL_GIVEN" },
  { kind: "default" },
  { kind: "option", option: "credential.token" },
  { kind: "account-line", line: 1, key: "token" },
  rc("yours"),
];
const sources = [...yours, rc("found")];
const parts = ["baseUrl", "proxy", "caCert"] as const;
const words = {
  baseUrl: "is not sent to the base URL",
  proxy: "is not sent through the proxy",
  caCert: "is not sent with the CA certificates",
};
const flags = { baseUrl: "--base-url", proxy: "--proxy", caCert: "--ca-cert" };

const routes: readonly RouteSources[] = sources.flatMap((baseUrl) =>
  [null, ...sources].flatMap((proxy) => [null, ...sources].map((caCert) => ({ baseUrl, proxy, caCert }))),
);

test("every source is yours but an rc file that was found", () => {
  expect(yours.map(trustOf)).toEqual(yours.map(() => "yours"));
  expect(trustOf(rc("found"))).toBe("found");
});

const values = ["token", "username", "secret"] as const;
const files = ["tokenFile", "secretFile"] as const;
const partsFrom = (
  names: readonly CredentialPart["setting"][],
  from: readonly Source[],
): readonly CredentialPart[] => names.flatMap((setting) => from.map((source) => ({ setting, source })));
const partsOfYours = [...partsFrom([...values, ...files], yours), ...partsFrom(files, [rc("found")])];
const foundParts = partsFrom(values, [rc("found")]);

test("a credential in a found rc file is found; a secret in a file that it names is yours", () => {
  expect(partsOfYours.map(trustOfPart)).toEqual(partsOfYours.map(() => "yours"));
  expect(foundParts.map(trustOfPart)).toEqual(foundParts.map(() => "found"));
});

test("a credential of yours is sent only by a route that is yours in every part, whatever the sources", () => {
  let refused = 0;
  for (const credential of partsOfYours) {
    for (const route of routes) {
      const refusal = travelRefusal(credential, route);
      const [foreign] = parts.filter((part) => route[part] !== null && !yours.includes(route[part]));
      if (foreign === undefined) expect(refusal, JSON.stringify({ credential, route })).toBeNull();
      else expect(refusal?.message, JSON.stringify({ credential, route })).toContain(words[foreign]);
      if (refusal !== null) refused += 1;
    }
  }
  // Of 7 × 8 × 8 routes, 6 × 7 × 7 are yours in every part.
  expect([routes.length, refused]).toEqual([448, partsOfYours.length * (448 - 294)]);
});

test("a found credential may be sent by any route", () => {
  for (const part of foundParts) {
    expect(routes.map((route) => travelRefusal(part, route))).toEqual(routes.map(() => null));
  }
});

test.each(parts)("a refusal over %s names both sources, the flag that allows it and --config", (part) => {
  const route: RouteSources = { baseUrl: yours[0] as Source, proxy: null, caCert: null, [part]: rc("found") };
  const credential: CredentialPart = {
    setting: "token",
    source: { kind: "environment", variable: "REFERRAL_TOKEN" },
  };
  const { message, hint } = travelRefusal(credential, route) ?? expect.fail("it may be sent");
  expect(message).toContain("REFERRAL_TOKEN");
  expect(message).toContain("/found/.referralrc, line 3");
  expect(hint).toContain(flags[part]);
  expect(hint).toContain("--config /found/.referralrc");
});

test("a refusal of a file that a found file names is about that file, not about the setting", () => {
  const route = { baseUrl: rc("found"), proxy: null, caCert: null };
  const told = (source: Source) => travelRefusal({ setting: "tokenFile", source }, route)?.message;
  expect(told(rc("found"))).toMatch(
    /^The file that k in \/found\/\.referralrc, line 3 names is yours and is not sent/,
  );
  expect(told(rc("yours"))).toMatch(/^k in \/yours\/\.referralrc, line 3 is yours and is not sent/);
});
