// Writes schema/referralrc.schema.json from the table of settings. A test fails if the file is out of date.
import { writeFileSync } from "node:fs";
import { rcSchema } from "../src/settings/rc-schema.ts";

writeFileSync("schema/referralrc.schema.json", JSON.stringify(rcSchema(), null, 2));
