// `header`: prints header lines for another client. It sends nothing.

import { wrongUsage } from "../errors.ts";
import { warnOn } from "../report/messages.ts";
import type { Options } from "../settings/run-settings.ts";
import { addAccounts, addCredentials, addUnder, type DeclareCommand, selectedBy } from "./setting-options.ts";

const help = `
Example, with the secret in no process list:
  $ curl --header @<(referral-auth header --wsse) \\
      https://api.example.com/v1/test-authentication`;

/** Declares `header`: prints the header lines for another client, without any network. */
export const addHeaderCommand: DeclareCommand = (program, context, exitWith) => {
  const command = program
    .command("header")
    .summary("print the header lines for another client")
    .description(
      "Prints ready `Name: value` header lines, with --token or --wsse. An X-WSSE line is good for one request. The credential comes from options, variables and the rc file, or from a tokenCommand or secretCommand there. It exits with 3 if one is missing or invalid.",
    );
  addCredentials(command, false);
  addAccounts(command);
  addUnder(command, "conventions");
  command.addHelpText("after", help).action(async (options: Options) => {
    const [method, ...others] = selectedBy(options);
    if (method === undefined || others.length > 0)
      throw wrongUsage(
        "header prints the header of one method: select --token or --wsse",
        "See referral-auth header --help",
      );
    const [{ credentialOf }, { credentialFields }, { RunInputs }, { loadSettings }] = await Promise.all([
      import("../check/prepare/prepare-credential.ts"),
      import("../check/credential.ts"),
      import("../settings/inputs.ts"),
      import("../settings/run-settings.ts"),
    ]);
    const warn = warnOn(context);
    const settings = await loadSettings(options, context, warn);
    const { credential } = await credentialOf(
      method,
      settings.of({ profile: settings.profiles[0] ?? null, own: null }),
      new RunInputs(context, warn),
    );
    const fields = credentialFields(credential, context);
    await context.stdout.write(fields.map(({ name, value }) => `${name}: ${value}\n`).join(""));
    exitWith(0);
  });
};
