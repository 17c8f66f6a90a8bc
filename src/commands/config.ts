import { Option } from "commander";
import { exitCodeOf } from "../exit-codes.ts";
import { paintOf, wantsColor } from "../report/paint.ts";
import type { SettingsOverview } from "../settings/overview.ts";
import type { Options } from "../settings/run-settings.ts";
import type { DeclareCommand } from "./declare-command.ts";
import { addSettings, addUnder, colorOption, warnOfVariables } from "./setting-options.ts";

/** Declares `config`: every setting, where it came from and what it hides, without any network. */
export const addConfigCommand: DeclareCommand = (program, context, exitWith) => {
  const command = program
    .command("config")
    .summary("show every setting and where it came from")
    .description(
      "Shows every setting, its value (secrets masked), its source and what it hides, and whether each credential will be used with the base URL. It sends nothing and runs no command.",
    );
  addSettings(command);
  command.addOption(
    new Option("--all", "print one line for each profile of the rc file").conflicts("profile"),
  );
  command.option("--json", "print one JSON document");
  command.option(...colorOption);
  addUnder(command, "conventions");
  command.action(async (options: Options) => {
    const [{ loadSettings }, { overviewOf }, { configJson, configText, profileLines }] = await Promise.all([
      import("../settings/run-settings.ts"),
      import("../settings/overview.ts"),
      import("../report/settings-overview.ts"),
    ]);
    await warnOfVariables(context);
    const settings = await loadSettings(options, context);
    const isList = options.all === true;
    const chosen = isList ? settings.profiles : [settings.profiles[0] ?? null];
    const overviews: SettingsOverview[] = [];
    for (const [index, profile] of chosen.entries()) {
      // Thousands of profiles take seconds. A signal is noticed only while nothing else runs.
      if (index % 100 === 99) await context.wait(0);
      overviews.push(overviewOf(settings.of({ profile, own: null }), context));
    }
    const isValid = overviews.every((one) => one.settings.every(({ problem }) => problem === null));
    const exitCode = isValid ? 0 : exitCodeOf["not-checked"];
    if (options.json === true) {
      await context.stdout.write(configJson(overviews, isList, exitCode));
    } else {
      const paint = await paintOf(
        wantsColor(context.stdout.isTerminal, options.color !== false, context.environment),
      );
      const text = isList
        ? profileLines(overviews, paint)
        : overviews.map((one) => configText(one, paint)).join("");
      await context.stdout.write(text);
    }
    exitWith(exitCode);
  });
};
