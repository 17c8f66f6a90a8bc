import {
  accountSettingNames,
  type Definition,
  definitionOf,
  type SettingName,
  settingNames,
} from "./table.ts";

function valueSchema({ kind, summary, choices, minimum, maximum, fraction }: Definition): object {
  if (kind === "number")
    return { type: fraction ? "number" : "integer", description: summary, minimum, maximum };
  if (kind === "command")
    return { type: "array", description: summary, items: { type: "string" }, minItems: 1 };
  return {
    type: "string",
    description: summary,
    ...(choices === undefined ? { minLength: 1 } : { enum: choices }),
  };
}

function schemasOf(names: readonly SettingName[]): object {
  return Object.fromEntries(names.map((name) => [definitionOf(name).key, valueSchema(definitionOf(name))]));
}

/** The JSON Schema of an rc file, for editors; derived from the table of settings, and shipped as a file. */
export function rcSchema(): object {
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "Settings of referral-auth",
    type: ["object", "null"],
    properties: {
      $schema: { type: "string" },
      ...schemasOf(settingNames),
      profiles: {
        type: "object",
        description: "accounts by name; each inherits what it does not set itself",
        additionalProperties: {
          type: ["object", "null"],
          properties: schemasOf(accountSettingNames),
          additionalProperties: false,
        },
      },
    },
    additionalProperties: false,
  };
}
