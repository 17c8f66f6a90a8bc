import { authorizationModes } from "../wsse/authorization.ts";
import { conventionNames, defaultAlgorithm, hashNames } from "../wsse/digest.ts";

/** The kind of a value. It decides how the value is read from text and from YAML, and how it is shown. */
type Kind = "url" | "text" | "secret" | "path" | "number" | "choice" | "command";

/** One setting: its flag, its variables, and its allowed values. */
export interface Definition {
  readonly kind: Kind;
  /** The flag as commander declares it. Only rc files can set a command, so it has no flag. */
  readonly flag?: string;
  readonly variables: readonly string[];
  readonly summary: string;
  /** A remark that only the flag's help shows. */
  readonly flagNote?: string;
  readonly choices?: readonly string[];
  readonly fallback?: string;
  /** Bounds of a number, both included; whole numbers only unless `fraction` is set. */
  readonly minimum?: number;
  readonly maximum?: number;
  readonly fraction?: boolean;
}

/**
 * Every setting, once, by its key in the rc file. Options, environment, rc keys, help, `config` and the schema derive from
 * this table. The first variable that is set and not empty counts.
 */
export const settings = {
  baseUrl: {
    kind: "url",
    flag: "--base-url <url>",
    variables: ["REFERRAL_BASE_URL"],
    summary: "base URL of the API, without /test-authentication",
  },
  token: {
    kind: "secret",
    flag: "--token [value]",
    variables: ["REFERRAL_TOKEN"],
    summary: "token for the X-Auth-Token header",
    flagNote: "selects this method; without a value here, the token comes from another setting",
  },
  tokenFile: {
    kind: "path",
    flag: "--token-file <path>",
    variables: ["REFERRAL_TOKEN_FILE"],
    summary: "file that holds the token, - for standard input",
  },
  tokenCommand: {
    kind: "command",
    variables: [],
    summary: "command that prints the token, as a list of words",
  },
  username: {
    kind: "text",
    flag: "--username <email>",
    variables: ["REFERRAL_USERNAME"],
    summary: "username for WSSE",
  },
  secret: {
    kind: "secret",
    flag: "--secret <value>",
    variables: ["REFERRAL_SECRET"],
    summary: "secret for WSSE",
    flagNote: "process lists show it, so prefer --secret-file",
  },
  secretFile: {
    kind: "path",
    flag: "--secret-file <path>",
    variables: ["REFERRAL_SECRET_FILE"],
    summary: "file that holds the secret, - for standard input",
  },
  secretCommand: {
    kind: "command",
    variables: [],
    summary: "command that prints the secret, as a list of words",
  },
  digest: {
    kind: "choice",
    flag: "--digest <name>",
    variables: ["REFERRAL_DIGEST"],
    summary: "how the PasswordDigest is computed",
    choices: conventionNames,
    fallback: defaultAlgorithm.digest,
  },
  hash: {
    kind: "choice",
    flag: "--hash <name>",
    variables: ["REFERRAL_HASH"],
    summary: "hash of the PasswordDigest",
    choices: hashNames,
    fallback: defaultAlgorithm.hash,
  },
  authorization: {
    kind: "choice",
    flag: "--authorization <mode>",
    variables: ["REFERRAL_AUTHORIZATION"],
    summary: 'wsse sends Authorization: WSSE profile="UsernameToken" beside X-WSSE',
    choices: authorizationModes,
    fallback: authorizationModes[0],
  },
  timeout: {
    kind: "number",
    flag: "--timeout <seconds>",
    variables: ["REFERRAL_TIMEOUT"],
    summary: "deadline of one request in seconds",
    fallback: "10",
    minimum: 0.001,
    maximum: 86_400,
    fraction: true,
  },
  retry: {
    kind: "number",
    flag: "--retry <n>",
    variables: ["REFERRAL_RETRY"],
    summary: "extra attempts after exit codes 5, 7 and 8",
    fallback: "0",
    minimum: 0,
    maximum: 100,
  },
  concurrency: {
    kind: "number",
    flag: "--concurrency <n>",
    variables: ["REFERRAL_CONCURRENCY"],
    summary: "requests at once, with several profiles",
    fallback: "8",
    minimum: 1,
    maximum: 1_000,
  },
  proxy: {
    kind: "url",
    flag: "--proxy <url>",
    // The scheme of the base URL decides which of these counts (`environmentProxy`).
    variables: ["https_proxy", "HTTPS_PROXY", "http_proxy", "HTTP_PROXY"],
    summary: "HTTP proxy for https base URLs",
  },
  caCert: {
    kind: "path",
    flag: "--ca-cert <file>",
    variables: ["REFERRAL_CA_CERT", "NODE_EXTRA_CA_CERTS"],
    summary: "PEM file of CA certificates to trust besides the system's",
  },
} as const satisfies Record<string, Definition>;

/** The name of a setting, which is its key in the rc file too. */
export type SettingName = keyof typeof settings;
/** The name of a setting that always has a value. */
export type NameWithDefault = {
  [Name in SettingName]: (typeof settings)[Name] extends { readonly fallback: string } ? Name : never;
}[SettingName];
/** Whether a setting always has a value. */
export function hasDefault(name: SettingName): name is NameWithDefault {
  return "fallback" in settings[name];
}

/** The names of all settings, in the table's order, which is that of help and `config`. */
export const settingNames = Object.keys(settings) as readonly SettingName[];

/** Whether a text is the name of a setting. */
export function isSettingName(text: string): text is SettingName {
  return Object.hasOwn(settings, text);
}

/** The setting's definition, with the optional parts visible. */
export function definitionOf(name: SettingName): Definition {
  return settings[name];
}

/** The flag without its argument: `--base-url`. Empty for a setting without a flag. */
export function flagOf(name: SettingName): string {
  const [flag = ""] = definitionOf(name).flag?.split(" ", 1) ?? [];
  return flag;
}

/** The settings that name the file which holds the token or secret. */
export const fileOf = { token: "tokenFile", secret: "secretFile" } as const satisfies Partial<
  Record<SettingName, SettingName>
>;

/** Settings of which only one may be given at one level: the value itself, the file that holds it, or a command. */
export const alternatives: ReadonlyArray<readonly SettingName[]> = [
  ["token", fileOf.token, "tokenCommand"],
  ["secret", fileOf.secret, "secretCommand"],
];

/** The settings that name a part of a credential. */
export const credentialNames: ReadonlySet<SettingName> = new Set([...alternatives.flat(), "username"]);

/** The variables that are not settings, since no rc file can set them. */
export const extraVariables = { profile: "REFERRAL_PROFILE", config: "REFERRAL_CONFIG" } as const;
