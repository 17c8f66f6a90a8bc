import type { Command } from "commander";
import { InputError } from "../errors.ts";
import type { ExitCode } from "../exit-codes.ts";
import type { Context } from "../system/context.ts";
import {
  addSettings,
  type ParsedOptions,
  selectionOf,
  sourceOptions,
  warnOfExposure,
} from "./setting-options.ts";

const help = `
Example, with the secret in no process list:
  $ curl --header @<(referral-auth header --wsse) \\
      https://api.example.com/v1/test-authentication`;

/** Declares `header`: prints one header line for another client, without any network. */
export function addHeaderCommand(
  program: Command,
  context: Context,
  exitWith: (code: ExitCode) => void,
): void {
  const command = program
    .command("header")
    .summary("print one header line for another client")
    .description(
      "Prints one ready `Name: value` header line, with --token or --wsse. A WSSE line is good for one request.",
    );
  addSettings(command, {
    names: ["token", "tokenFile", "username", "secret", "secretFile", "digest", "hash"],
  });
  command.addHelpText("after", help).action(async (options: ParsedOptions) => {
    const selection = selectionOf(options);
    if (selection.token === selection.wsse) {
      throw new InputError(
        "usage",
        "header prints one header: select --token or --wsse",
        "See referral-auth header --help",
      );
    }
    const [{ credentialOf }, { credentialHeader }, { SecretReader }, { loadSources }, { precedenceOf }] =
      await Promise.all([
        import("./plan-credentials.ts"),
        import("../check/credential.ts"),
        import("../settings/secret-reader.ts"),
        import("../settings/load.ts"),
        import("../settings/precedence.ts"),
      ]);
    await warnOfExposure(options, context);
    const sources = await loadSources(sourceOptions(options), context);
    const { credential } = await credentialOf(
      selection.token ? "token" : "wsse",
      precedenceOf(sources, sources.profiles[0] ?? null),
      new SecretReader(context),
    );
    const { name, value } = credentialHeader(credential, context);
    await context.stdout.write(`${name}: ${value}\n`);
    exitWith(0);
  });
}
