// Writes schema/referralrc.schema.json from the table of settings. A test fails if the file is out of date.
import { writeFileSync } from "node:fs";
import type { Definition } from "../src/settings/definition.ts";
import { definitionOf, keyOf, profileKeys, type SettingName, settingNames } from "../src/settings/table.ts";

function valueSchema({ kind, summary, choices, minimum, maximum, fraction }: Definition): object {
  if (kind === "number")
    return { type: [fraction ? "number" : "integer", "null"], description: summary, minimum, maximum };
  if (kind === "command")
    return { type: ["array", "null"], description: summary, items: { type: "string" }, minItems: 1 };
  return {
    type: ["string", "null"],
    description: summary,
    ...(choices === undefined ? { minLength: 1 } : { enum: [...choices, null] }),
  };
}

/** The JSON Schema of an rc file, for editors; derived from the table of settings, and shipped as a file. */
export function rcSchema(): object {
  const propertiesOf = (names: readonly SettingName[]) =>
    Object.fromEntries(names.map((name) => [keyOf(name), valueSchema(definitionOf(name))]));
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "Settings of referral-auth",
    type: ["object", "null"],
    properties: {
      $schema: { type: "string" },
      ...propertiesOf(settingNames),
      profiles: {
        type: ["object", "null"],
        description: "accounts by name; each inherits what it does not set itself",
        additionalProperties: {
          type: ["object", "null"],
          properties: propertiesOf(profileKeys),
          additionalProperties: false,
        },
      },
    },
    additionalProperties: false,
  };
}

if (process.argv[1] === import.meta.filename)
  writeFileSync("schema/referralrc.schema.json", JSON.stringify(rcSchema(), null, 2));
