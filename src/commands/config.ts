import type { Command } from "commander";
import { type ExitCode, exitCodeOf } from "../exit-codes.ts";
import { paintOf, wantsColor } from "../report/paint.ts";
import type { Context } from "../system/context.ts";
import { addColor, addSettings, type ParsedOptions, sourceOptions } from "./setting-options.ts";

/** Declares `config`: every setting, where it came from and what it hides, without any network. */
export function addConfigCommand(
  program: Command,
  context: Context,
  exitWith: (code: ExitCode) => void,
): void {
  const command = program
    .command("config")
    .summary("show every setting and where it came from")
    .description(
      "Shows every setting, its value (secrets masked), its source and what it hides, and whether each credential may travel to the base URL. Nothing is sent.",
    );
  addSettings(command);
  command.option("--json", "print one JSON document");
  addColor(command);
  command.action(async (options: ParsedOptions) => {
    const [{ loadSources }, { overviewOf }, { configText, configJson }] = await Promise.all([
      import("../settings/load.ts"),
      import("../settings/overview.ts"),
      import("../report/settings-overview.ts"),
    ]);
    const config = overviewOf(await loadSources(sourceOptions(options), context), context);
    const exitCode = config.settings.some(({ problem }) => problem !== null) ? exitCodeOf["not-checked"] : 0;
    if (options.json === true) {
      await context.stdout.write(configJson(config, exitCode));
    } else {
      const paint = await paintOf(
        wantsColor(context.stdout.isTerminal, options.color !== false, context.environment),
      );
      await context.stdout.write(configText(config, paint));
    }
    exitWith(exitCode);
  });
}
