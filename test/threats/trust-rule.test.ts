import { expect, test } from "vitest";
import type { Source } from "../../src/settings/source.ts";
import {
  type CredentialPart,
  explainRefusal,
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
  rc("yours"),
];
const sources = [...yours, rc("found")];
const parts = ["baseUrl", "proxy", "caCert"] as const;
const flags = { baseUrl: "--base-url", proxy: "--proxy", caCert: "--ca-cert" };

const routes: readonly RouteSources[] = sources.flatMap((baseUrl) =>
  [null, ...sources].flatMap((proxy) => [null, ...sources].map((caCert) => ({ baseUrl, proxy, caCert }))),
);

test("flags, environment, defaults and an rc file of yours are yours; an rc file that was found is not", () => {
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
      const foreign = parts.filter((part) => route[part] !== null && !yours.includes(route[part]));
      expect(refusal?.part ?? null, JSON.stringify({ credential, route })).toBe(foreign[0] ?? null);
      expect(refusal?.source ?? null).toBe(foreign[0] === undefined ? null : route[foreign[0]]);
      if (refusal !== null) refused += 1;
    }
  }
  // Of 180 routes, 4 × 5 × 5 are yours in every part.
  expect([routes.length, refused]).toEqual([180, (5 * 4 + 2) * (180 - 100)]);
});

test("a found credential may be sent by any route", () => {
  for (const part of foundParts) {
    expect(routes.map((route) => travelRefusal(part, route))).toEqual(routes.map(() => null));
  }
});

test.each(parts)(
  "a refusal because of the %s names both sources, the flag that allows it and --config",
  (part) => {
    const route: RouteSources = {
      baseUrl: yours[0] as Source,
      proxy: null,
      caCert: null,
      [part]: rc("found"),
    };
    const credential: CredentialPart = {
      setting: "token",
      source: { kind: "environment", variable: "REFERRAL_TOKEN" },
    };
    const refusal = travelRefusal(credential, route);
    if (refusal === null) throw new Error("expected a refusal");
    const { message, hint } = explainRefusal(credential, refusal);
    expect(message).toContain("REFERRAL_TOKEN");
    expect(message).toContain("/found/.referralrc, line 3");
    expect(hint).toContain(flags[part]);
    expect(hint).toContain("--config /found/.referralrc");
  },
);
