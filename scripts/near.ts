// Runs the tests that can break when these files change: those of functions, and for a file of src/commands also those of the
// commands as a whole. Fails if there are none for one of the files. usage: npm run near -- <file…>
import { resolve } from "node:path";
import { createVitest } from "vitest/node";

const files = process.argv.slice(2).map((file) => resolve(file));
const ofCommand = files.some((file) => file.includes("/src/commands/")) ? ["commands"] : [];
const vitest = await createVitest("test", { watch: false, project: ["unit", ...ofCommand] });
const untested = files.length > 0 ? [] : ["nothing"];
for (const file of files) {
  vitest.config.related = [file];
  if ((await vitest.getRelevantTestSpecifications()).length === 0) untested.push(file);
}
vitest.config.related = files;
if (untested.length < files.length) await vitest.start();
await vitest.close();
if (untested.length > 0) {
  process.stderr.write(`No test of functions uses ${untested.join(", ")}: run npm test\n`);
  process.exitCode = 1;
}
