import { expect, test } from "vitest";
import type { Source } from "../../src/settings/source.ts";
import {
  type CredentialPart,
  type RouteSources,
  travelRefusal,
  trustOf,
  trustOfPart,
} from "../../src/settings/trust.ts";
import { rcSource } from "./settings-of.ts";

const rc = (trust: "yours" | "found"): Source => rcSource("k", trust);
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
  const told = (setting: CredentialPart["setting"], source: Source) =>
    travelRefusal({ setting, source }, route);
  const place = `is yours and ${words[part]} in /found/.referralrc, line 3: that rc file was only found in the working tree`;
  const hint = `If you trust it, give ${flags[part]} yourself, or name the file with --config /found/.referralrc`;
  expect(told("token", { kind: "environment", variable: "REFERRAL_TOKEN" })).toMatchObject({
    kind: "settings",
    message: `REFERRAL_TOKEN ${place}`,
    hint,
  });
  // The setting is not yours, but the file that it names is.
  expect(told("tokenFile", rc("found"))?.message).toBe(
    `The file that k in /found/.referralrc, line 3 names ${place}`,
  );
  expect(told("tokenFile", rc("yours"))?.message).toBe(`k in /yours/.referralrc, line 3 ${place}`);
});
