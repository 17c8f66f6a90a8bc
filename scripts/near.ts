// Runs the tests that can break when these files change: those of functions, and for a file of src/commands also those of the
// commands as a whole. Fails if there are none for one of the files. usage: npm run near -- <file…>
import { resolve } from "node:path";
import { createVitest } from "vitest/node";

const files = process.argv.slice(2);
const ofCommand = files.some((file) => resolve(file).includes("/src/commands/")) ? ["commands"] : [];
const vitest = await createVitest("test", { watch: false, project: ["unit", ...ofCommand] });
const untested = files.length > 0 ? [] : ["nothing"];
for (const file of files) {
  vitest.config.related = [resolve(file)];
  const tests = await vitest.getRelevantTestSpecifications();
  if (tests.length === 0) untested.push(file);
}
vitest.config.related = files.map((file) => resolve(file));
if (untested.length < files.length) await vitest.start();
await vitest.close();
if (untested.length > 0) {
  process.stderr.write(`No test of functions uses ${untested.join(", ")}: run npm test\n`);
  process.exitCode = 1;
}
