// Runs the built program for `npm start`, in this process, so that exit code and signals are those of the program.
import { fileURLToPath } from "node:url";

const launcher = fileURLToPath(new URL("../bin/launch.cjs", import.meta.url));
const given = process.argv.slice(2);

// Without arguments it shows a whole check to a new user, with no account and no network.
const demonstration = ["emulator", "--", process.execPath, launcher, "test"];
if (given.length === 0) {
  process.stderr.write(
    "A local emulator of the API starts, and `referral-auth test` checks both methods against it.\n",
  );
}

process.argv.splice(1, process.argv.length, launcher, ...(given.length === 0 ? demonstration : given));
await import(launcher);
