// Writes schema/referralrc.schema.json from the table of settings; a test fails where it was forgotten.
import { writeFileSync } from "node:fs";
import { rcSchema } from "../src/settings/rc-schema.ts";

writeFileSync(
  new URL("../schema/referralrc.schema.json", import.meta.url),
  `${JSON.stringify(rcSchema(), null, 2)}\n`,
);
