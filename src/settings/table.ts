// The table of settings, and what is derived from it.

import { type Invalid, number } from "../options/readers.ts";
import { defaultAlgorithm } from "../wsse/digest.ts";
import { authorizationModes } from "../wsse/header.ts";
import { commandFor, type Definition, path } from "./definition.ts";
import { partReaders } from "./secret.ts";
import { parseBaseUrl, parseProxy } from "./urls.ts";

/**
 * Every setting, once, by the name that its value has on its whole way to the request. Options, environment, rc keys, help,
 * `config` and the schema derive from this table. The first variable that is set and not empty counts.
 */
const rows = {
  baseUrl: {
    kind: "url",
    heading: "api",
    flag: "--base-url <url>",
    variables: ["REFERRAL_BASE_URL"],
    summary: "the API's base URL, without /test-authentication",
    parse: parseBaseUrl,
  },
  token: {
    ...partReaders.token,
    heading: "credentials",
    flag: "--token [value]",
    variables: ["REFERRAL_TOKEN"],
    summary: "token for the X-Auth-Token header",
    flagNote: "without a value, one that is set elsewhere",
  },
  tokenFile: {
    ...path,
    heading: "credentials",
    flag: "--token-file <path>",
    variables: ["REFERRAL_TOKEN_FILE"],
    summary: "file that holds the token, - for standard input",
  },
  tokenCommand: commandFor("token"),
  username: {
    ...partReaders.username,
    heading: "credentials",
    flag: "--username <email>",
    variables: ["REFERRAL_USERNAME"],
    summary: "username for WSSE",
  },
  secret: {
    ...partReaders.secret,
    heading: "credentials",
    flag: "--secret <value>",
    variables: ["REFERRAL_SECRET"],
    summary: "secret for WSSE",
    flagNote: "process lists show it",
  },
  secretFile: {
    ...path,
    heading: "credentials",
    flag: "--secret-file <path>",
    variables: ["REFERRAL_SECRET_FILE"],
    summary: "file that holds the secret, - for standard input",
  },
  secretCommand: commandFor("secret"),
  digest: {
    ...partReaders.digest,
    heading: "conventions",
    flag: "--digest <name>",
    variables: ["REFERRAL_DIGEST"],
    summary: "how the PasswordDigest is computed",
    fallback: defaultAlgorithm.digest,
  },
  hash: {
    ...partReaders.hash,
    heading: "conventions",
    flag: "--hash <name>",
    variables: ["REFERRAL_HASH"],
    summary: "hash of the PasswordDigest",
    fallback: defaultAlgorithm.hash,
  },
  authorization: {
    ...partReaders.authorization,
    heading: "conventions",
    flag: "--authorization <mode>",
    variables: ["REFERRAL_AUTHORIZATION"],
    summary: 'wsse sends Authorization: WSSE profile="UsernameToken" beside X-WSSE',
    fallback: authorizationModes[0],
  },
  timeoutSeconds: {
    ...number(0.001, 86_400, { fraction: true }),
    key: "timeout",
    heading: "request",
    flag: "--timeout <seconds>",
    variables: ["REFERRAL_TIMEOUT"],
    summary: "deadline of one request in seconds",
    fallback: "10",
  },
  retries: {
    ...number(0, 100),
    key: "retry",
    heading: "request",
    flag: "--retry <n>",
    variables: ["REFERRAL_RETRY"],
    summary: "extra attempts after codes 5, 7 and 8",
    fallback: "0",
  },
  concurrency: {
    ...number(1, 1_000),
    heading: "accounts",
    flag: "--concurrency <n>",
    variables: ["REFERRAL_CONCURRENCY"],
    summary: "requests at once for all accounts",
    fallback: "8",
  },
  maxWaitSeconds: {
    ...number(0, 86_400, { fraction: true }),
    key: "maxWait",
    heading: "accounts",
    flag: "--max-wait <seconds>",
    variables: ["REFERRAL_MAX_WAIT"],
    summary: "longest pause of a server in seconds",
    fallback: "60",
  },
  proxy: {
    kind: "url",
    heading: "request",
    flag: "--proxy <url>",
    // The base URL decides which of these counts (`environmentProxy` in levels.ts).
    variables: ["https_proxy", "HTTPS_PROXY", "http_proxy", "HTTP_PROXY"],
    variablesNote: "HTTPS_PROXY; HTTP_PROXY for http base URLs, where a proxy is refused; NO_PROXY",
    summary: "HTTP proxy for https base URLs",
    parse: parseProxy,
  },
  extraCertificates: {
    ...path,
    key: "caCert",
    heading: "request",
    flag: "--ca-cert <file>",
    variables: ["REFERRAL_CA_CERT", "NODE_EXTRA_CA_CERTS"],
    summary: "PEM file of CA certificates to trust besides the system's",
  },
} as const satisfies Record<string, Definition>;

/** The name of a setting. */
export type SettingName = keyof typeof rows;
/** The name of a setting that always has a value. */
export type NameWithDefault = {
  [Name in SettingName]: (typeof rows)[Name] extends { readonly fallback: string } ? Name : never;
}[SettingName];
/** The value of each setting, once it is parsed. */
export type Values = {
  readonly [Name in SettingName]: Exclude<ReturnType<(typeof rows)[Name]["parse"]>, Invalid>;
};

const settings: { readonly [Name in SettingName]: Definition<Values[Name]> } = rows;

/** The names of all settings, in the table's order, which is that of help and `config`. */
export const settingNames = Object.keys(rows) as readonly SettingName[];

const ofRun: readonly SettingName[] = ["concurrency", "maxWaitSeconds"];

/** The key of a setting: in the rc file, in a line of `--accounts`, among the parsed options, and in what `config` prints. */
export const keyOf = (name: SettingName) =>
  (definitionOf(name).key ?? name) as {
    [Name in SettingName]: (typeof rows)[Name] extends { readonly key: infer Key extends string }
      ? Key
      : Name;
  }[SettingName];

/** The settings that a profile may set. The others belong to the run. */
export const profileKeys: readonly SettingName[] = settingNames.filter((name) => !ofRun.includes(name));

/** The settings that a line of `--accounts` may set: a line names no file and no command. */
export const lineKeys: readonly SettingName[] = profileKeys.filter(
  (name) => !["path", "command"].includes(definitionOf(name).kind),
);

/** The setting's definition, with the optional parts visible. */
export function definitionOf<Name extends SettingName>(name: Name): Definition<Values[Name]> {
  return settings[name];
}

/** The flag without its argument: `--base-url`. Empty for a setting without a flag. */
export function flagOf(name: SettingName): string {
  const [flag = ""] = definitionOf(name).flag?.split(" ", 1) ?? [];
  return flag;
}

/** Settings of which only one may be given at one level: the value itself, the file that holds it, or a command. */
export const alternatives: ReadonlyArray<readonly SettingName[]> = [
  ["token", "tokenFile", "tokenCommand"],
  ["secret", "secretFile", "secretCommand"],
];

const groups: ReadonlyMap<SettingName, readonly SettingName[]> = new Map(
  settingNames.map((name) => [name, alternatives.find((group) => group.includes(name)) ?? [name]]),
);

/** A setting and its alternatives. */
export const alternativesOf = (name: SettingName): readonly SettingName[] => groups.get(name) ?? [name];

/** The settings that name a part of a credential. */
export const credentialNames: ReadonlySet<SettingName> = new Set([...alternatives.flat(), "username"]);

/** The variables that are not settings, since no rc file can set them. */
export const extraVariables = { profile: "REFERRAL_PROFILE", config: "REFERRAL_CONFIG" } as const;

/** The variables that are read, to find misspelt ones. HTTPS_PROXY stands for all that name a proxy: it is the one to recommend. */
export const knownVariables: readonly string[] = [
  ...settingNames.flatMap((name) => (name === "proxy" ? ["HTTPS_PROXY"] : definitionOf(name).variables)),
  ...Object.values(extraVariables),
];
