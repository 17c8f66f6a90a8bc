import { rootCertificates } from "node:tls";
import { type CheckSettings, prepareChecks } from "../../../src/check/prepare/prepare.ts";
import type { Inputs } from "../../../src/settings/inputs.ts";
import type { Level } from "../../../src/settings/levels.ts";
import { level, settingsOf, type Values } from "../../settings/settings-of.ts";

export const url = "https://api.example";
export const [certificate = ""] = rootCertificates;

export const flags = (values: Values): Level =>
  level(values, (name) => ({ kind: "flag", flag: `--${name}` }));

/** Files that each hold a certificate and a token. */
export const holding: Inputs = {
  read: async () => Buffer.from(`${certificate}\n`),
  certificates: async () => [`${certificate}\n`],
};

/** The checks of these levels, highest first. Every file holds a certificate and a token. */
export function prepared(
  levels: readonly Level[],
  run: Partial<CheckSettings> = {},
  more: Parameters<typeof settingsOf>[1] & { readonly inputs?: Inputs } = {},
) {
  const { inputs = holding, ...scope } = more;
  return prepareChecks(settingsOf(levels, scope), inputs, {
    selected: [],
    insecureHttp: false,
    diagnose: false,
    ...run,
  });
}

export const token = { baseUrl: url, token: "a-token" };
export const wsse = { baseUrl: url, username: "me@example.com", secret: "a-secret" };
