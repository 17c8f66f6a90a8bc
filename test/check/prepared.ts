import { rootCertificates } from "node:tls";
import { type AccountSettings, type CheckSettings, prepareChecks } from "../../src/check/prepare.ts";
import { redactorOf } from "../../src/redaction/redact.ts";
import { type Level, levelOf } from "../../src/settings/levels.ts";
import type { Precedence } from "../../src/settings/precedence.ts";
import type { Source, Trust } from "../../src/settings/source.ts";
import type { SettingName } from "../../src/settings/table.ts";

export const url = "https://api.example";
export const [certificate = ""] = rootCertificates;

type Values = Partial<Record<SettingName, string>>;

export const level = (values: Values, sourceOf: (name: string) => Source): Level =>
  levelOf(
    Object.entries(values).map(([name, text]) => ({
      setting: name as SettingName,
      text,
      source: sourceOf(name),
    })),
  );
export const flags = (values: Values): Level =>
  level(values, (name) => ({ kind: "flag", flag: `--${name}` }));
export const variables = (values: Values): Level =>
  level(values, (name) => ({ kind: "environment", variable: `REFERRAL_${name.toUpperCase()}` }));
export const file = (trust: Trust, values: Values): Level =>
  level(values, (key) => ({ kind: "rc", file: `/${trust}/.referralrc`, line: 1, key, trust }));

export const everyMethod = { token: false, wsse: false };

/** The checks of these levels, highest first. Every file holds a certificate and a token. */
export function prepared(
  levels: readonly Level[],
  settings: Partial<CheckSettings> = {},
  account: Partial<Precedence & AccountSettings> = {},
) {
  const { accountChosen = false, unused = new Map(), hasProfiles = false } = account;
  return prepareChecks(
    {
      profile: null,
      rc: null,
      precedence: { levels, accountChosen, unused, hasProfiles },
      redactorOf,
      inputs: { read: async () => Buffer.from(`${certificate}\n`) },
      knownHosts: () => ["other.example"],
      ...account,
    },
    { selection: everyMethod, insecureHttp: false, diagnose: false, ...settings },
  );
}

export const token = { baseUrl: url, token: "a-token" };
export const wsse = { baseUrl: url, username: "me@example.com", secret: "a-secret" };
