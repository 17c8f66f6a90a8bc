import { join } from "node:path";
import { folderWith } from "../support/folder.ts";
import { planted } from "../support/planted.ts";
import type { GivenInProcess } from "../support/run.ts";

/** Whose word a value is: two ways to say it directly, and three rc files, of which each run uses one. */
const rcKinds = ["named", "home", "found"] as const;
type RcKind = (typeof rcKinds)[number];
export type Place =
  | { readonly kind: "flag" | "environment"; readonly profile: false }
  | { readonly kind: RcKind; readonly profile: boolean };

export const places: readonly Place[] = [
  { kind: "flag", profile: false },
  { kind: "environment", profile: false },
  ...rcKinds.flatMap((kind) => [false, true].map((profile): Place => ({ kind, profile }))),
];

export const describePlace = ({ kind, profile }: Place): string =>
  kind === "flag" || kind === "environment"
    ? kind
    : `${kind === "named" ? "rc file named by --config" : kind === "home" ? "rc file of home" : "rc file found"}${profile ? ", profile" : ""}`;

/** Which rc file a run with values in these places uses: the first one, whole. */
function rcInUse(...given: readonly Place[]): RcKind | null {
  return (
    rcKinds.find((kind) => (kind === "home" ? false : given.some((place) => place.kind === kind))) ??
    (given.some(({ kind }) => kind === "home") ? "home" : null)
  );
}

export const isYours = ({ kind }: Place): boolean => kind !== "found";
/** Whether a value counts in a run with values in these places. */
export const counts = (place: Place, ...given: readonly Place[]): boolean =>
  place.kind === "flag" || place.kind === "environment" || place.kind === rcInUse(...given);
/** Whether a credential counts: none of the environment does where a profile is chosen. */
export const credentialCounts = (place: Place, ...given: readonly Place[]): boolean =>
  counts(place, ...given) && !(place.kind === "environment" && given.some(({ profile }) => profile));
/** Whether a credential is yours: what is in a file always is, whoever names the file. */
export const isYourCredential = (name: string, place: Place): boolean =>
  name.endsWith("file") || isYours(place);

/** What a value is called as a flag, a variable and a key. */
export interface Spelling {
  readonly flag: string;
  readonly variable: string;
  readonly key: string;
  readonly value: string;
}

const spelling = (flag: string, variable: string, key: string, value: string): Spelling => ({
  flag,
  variable,
  key,
  value,
});
/** Paths stay the same in all three files, beside each of which such files lie. */
const [tokenFile, secretFile] = ["token.txt", "secret.txt"];

export const credentials: Readonly<Record<string, readonly Spelling[]>> = {
  token: [spelling("--token", "REFERRAL_TOKEN", "token", planted.token)],
  "token file": [spelling("--token-file", "REFERRAL_TOKEN_FILE", "tokenFile", tokenFile)],
  "username and secret file": [
    spelling("--username", "REFERRAL_USERNAME", "username", planted.username),
    spelling("--secret-file", "REFERRAL_SECRET_FILE", "secretFile", secretFile),
  ],
  "username and secret": [
    spelling("--username", "REFERRAL_USERNAME", "username", planted.username),
    spelling("--secret", "REFERRAL_SECRET", "secret", planted.secret),
  ],
};

export const routeParts = {
  "base URL": (url: string) => spelling("--base-url", "REFERRAL_BASE_URL", "baseUrl", url),
  proxy: (url: string) => spelling("--proxy", "HTTPS_PROXY", "proxy", url),
  "CA certificates": () => spelling("--ca-cert", "REFERRAL_CA_CERT", "caCert", "ca.pem"),
} as const;

/** Arguments, environment and folders of a run in which these values stand in these places. */
export function arrangement(
  values: ReadonlyArray<readonly [Spelling, Place]>,
  certificate = "",
): { readonly args: readonly string[]; readonly given: GivenInProcess } {
  const beside = {
    [tokenFile]: `${planted.token}\n`,
    [secretFile]: `${planted.secret}\n`,
    "ca.pem": certificate,
  };
  const folderOf = (kind: RcKind): string => {
    const inside = values.filter(([, place]) => place.kind === kind);
    const object = (profile: boolean) =>
      Object.fromEntries(
        inside.filter(([, place]) => place.profile === profile).map(([{ key, value }]) => [key, value]),
      );
    const content = { ...object(false), profiles: { p: object(true) } };
    return folderWith({ ...beside, ...(inside.length === 0 ? {} : { ".referralrc": content }) });
  };
  const [named, home, found] = rcKinds.map(folderOf) as [string, string, string];
  const flags = values
    .filter(([, { kind }]) => kind === "flag")
    .flatMap(([{ flag, value }]) => [flag, value]);
  const variables = values.filter(([, { kind }]) => kind === "environment");
  return {
    args: [
      ...flags,
      ...(values.some(([, { kind }]) => kind === "named") ? ["--config", join(named, ".referralrc")] : []),
      ...(values.some(([, { profile }]) => profile) ? ["--profile", "p"] : []),
    ],
    given: {
      environment: Object.fromEntries(variables.map(([{ variable, value }]) => [variable, value])),
      workingFolder: found,
      homeFolder: home,
    },
  };
}
