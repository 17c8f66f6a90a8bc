import { expect, test } from "vitest";
import { levelOf, type SettingText } from "../../src/settings/levels.ts";
import { trustOfPlace } from "../../src/settings/rc-file.ts";
import { trustOfPart } from "../../src/settings/resolve.ts";
import { describePart, describeSource, type Source, trustOf } from "../../src/settings/source.ts";
import type { SettingName } from "../../src/settings/table.ts";
import { rcSource, settingsOf } from "./settings-of.ts";

const found: Source = rcSource("k", "found");
const yours: readonly Source[] = [
  { kind: "flag", flag: "--given" },
  { kind: "environment", variable: "REFERRAL_GIVEN" },
  { kind: "default" },
  { kind: "option", option: "credential.token" },
  { kind: "account-line", line: 1, key: "token" },
  rcSource("k"),
];
const sources = [...yours, found];

test("messages name every source, and the part of a credential if its source does not", () => {
  const [line, rc] = ["token in line 1 of --accounts", "k in /yours/.referralrc, line 3"];
  const names = ["--given", "REFERRAL_GIVEN", "the default", "credential.token"];
  expect(yours.map(describeSource)).toEqual([...names, line, rc]);
  const parts = [...names.map((name) => `token from ${name}`), line, `token from ${rc}`];
  expect(yours.map((source) => describePart("token", source))).toEqual(parts);
});

const parts = ["baseUrl", "proxy", "caCert"] as const;
const words = { baseUrl: "to the base URL", proxy: "through the proxy", caCert: "with the CA certificates" };
const flags = { baseUrl: "--base-url", proxy: "--proxy", caCert: "--ca-cert" };
const texts = { baseUrl: "https://api.example", proxy: "http://proxy.example", caCert: "ca.pem" };
/** Where each part of a route is set; null for one that is not. */
type RouteSources = Readonly<Record<(typeof parts)[number], Source | null>>;

/** Settings with this route. */
function routed(route: RouteSources) {
  const given = parts.flatMap((setting): SettingText[] => {
    const source = route[setting];
    return source === null ? [] : [{ setting, text: texts[setting], source }];
  });
  return settingsOf([levelOf(given)]);
}

test("a credential of yours is sent only by a route that is yours in every part; a found one is sent by any", () => {
  const optional = [null, ...sources];
  const routes = sources
    .flatMap((baseUrl) => optional.flatMap((proxy) => optional.map((caCert) => ({ baseUrl, proxy, caCert }))))
    .map((route) => ({ route, settings: routed(route) }));
  const foreignIn = (route: RouteSources) => parts.find((part) => route[part] === found);
  // Of 7 × 8 × 8 routes, 6 × 7 × 7 are yours in every part.
  expect([routes.length, routes.filter(({ route }) => !foreignIn(route)).length]).toEqual([448, 294]);

  const names = ["token", "username", "secret", "tokenFile", "secretFile"] as const;
  const credentials = names.flatMap((setting) => sources.map((source) => ({ setting, source })));
  const wrong = credentials.flatMap((credential) => {
    // A secret in a file that a found rc file names is yours.
    const isFound = credential.source === found && !credential.setting.endsWith("File");
    return routes.flatMap(({ route, settings }) => {
      const foreign = isFound ? undefined : foreignIn(route);
      const refusal = settings.travelRefusal({ ...credential, text: "x" })?.message ?? null;
      const isRight =
        foreign === undefined ? refusal === null : refusal?.includes(`is not sent ${words[foreign]}`);
      return isRight ? [] : [{ credential, route, refusal }];
    });
  });
  expect(wrong).toEqual([]);
  expect(sources.filter((source) => trustOf(source) === "found")).toEqual([found]);
});

test.each(parts)("a refusal over %s names both sources, the flag that allows it and --config", (part) => {
  const route: RouteSources = { baseUrl: { kind: "default" }, proxy: null, caCert: null, [part]: found };
  const told = (setting: SettingName, source: Source) =>
    routed(route).travelRefusal({ setting, source, text: "x" });
  const place = `is yours and is not sent ${words[part]} in /found/.referralrc, line 3: that rc file was only found in the working tree`;
  const hint = `If you trust it, give ${flags[part]} yourself, or name the file with --config /found/.referralrc`;
  const message = `REFERRAL_TOKEN ${place}`;
  const refusal = told("token", { kind: "environment", variable: "REFERRAL_TOKEN" });
  expect(refusal).toMatchObject({ kind: "settings", message, hint });
  // The setting is not yours, but the file that it names is.
  expect(told("tokenFile", found)?.message).toBe(
    `The file that k in /found/.referralrc, line 3 names ${place}`,
  );
  expect(told("tokenFile", rcSource("k"))?.message).toBe(`k in /yours/.referralrc, line 3 ${place}`);
});

const below = (folder: string, name: string) => `${folder === "/" ? "" : folder}/${name}`;
/** All paths of at most so many segments. */
const paths = (most: number): readonly string[] =>
  most === 0
    ? ["/"]
    : ["/", ...paths(most - 1).flatMap((path) => [below(path, "a"), below(path, ".config")])];
/** The path itself and every folder above it. */
const upward = (folder: string): readonly string[] =>
  folder === "/" ? ["/"] : [folder, ...upward(folder.slice(0, folder.lastIndexOf("/")) || "/")];
const places = [null, ...paths(2)];

test("a folder is yours if none from it up to the root, or to a home folder of yours or its .config, holds .git", () => {
  const folders = paths(3);
  const situations = places.flatMap((home) =>
    places.flatMap((registered) => [null, ...folders].map((checkout) => ({ home, registered, checkout }))),
  );
  const wrong = situations.flatMap((situation) => {
    const { home, registered, checkout } = situation;
    const system = {
      registeredHomeFolder: () => registered,
      realPath: (path: string) => path,
      fileExists: (path: string) => checkout !== null && path === below(checkout, ".git"),
    };
    const trust = (folder: string, homes: readonly (string | null)[]) => {
      const ends = homes.flatMap((one) => (one === null ? [] : [one, below(one, ".config")]));
      const above = upward(folder);
      const end = above.findIndex((one) => ends.includes(one));
      const searched = end < 0 ? above : above.slice(0, end);
      return searched.some((one) => one === checkout) ? "found" : "yours";
    };
    // The password database names a home folder that is yours wherever it lies.
    const ofHome = home === null || home === registered ? "yours" : trust(home, []);
    const homeFile = { path: below(home ?? "/", ".referralrc"), place: "home" } as const;
    const isHomeRight = home === null || trustOfPlace(homeFile, home, system) === ofHome;
    const homes = [registered, ofHome === "yours" ? home : null];
    const others = folders.filter((folder) => {
      const file = { path: below(folder, "config"), place: "configuration" } as const;
      return trustOfPlace(file, home, system) !== trust(folder, homes);
    });
    return isHomeRight && others.length === 0 ? [] : [{ situation, isHomeRight, others }];
  });
  expect(wrong).toEqual([]);
});

test("a credential in a found rc file is found; a secret in a file that it names is yours", () => {
  for (const setting of ["token", "username", "secret"] as const)
    expect(trustOfPart({ setting, source: found }), setting).toBe("found");
  for (const setting of ["tokenFile", "secretFile"] as const)
    expect(trustOfPart({ setting, source: found }), setting).toBe("yours");
});
