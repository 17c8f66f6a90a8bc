// `config`: every setting, where it came from and what it hides. It sends nothing and runs no command.

import { Option } from "commander";
import { InputError, orInputError } from "../errors.ts";
import { exitCodeOf } from "../exit-codes.ts";
import { warnOn } from "../report/messages.ts";
import { columnsOf, paintOf, wantsColor } from "../report/paint.ts";
import { headings } from "../settings/definition.ts";
import type { SettingsOverview } from "../settings/overview.ts";
import type { Settings } from "../settings/resolve.ts";
import type { Options } from "../settings/run-settings.ts";
import {
  addAccounts,
  addCredentials,
  addUnder,
  colorOption,
  type DeclareCommand,
  selectedBy,
} from "./setting-options.ts";

const nothingKnown = { settings: [], credentials: [], rc: null, unknownVariables: [] };

/** Declares `config`: every setting, where it came from and what it hides, without any network. */
export const addConfigCommand: DeclareCommand = (program, context, exitWith) => {
  const command = program
    .command("config")
    .summary("show every setting and where it came from")
    .description(
      "Shows every setting, its value (secrets masked), its source and what it hides, and whether each credential will be used with the base URL. It sends nothing and runs no command. It exits with 3 if a setting is invalid.",
    );
  addCredentials(command);
  addUnder(command, "request");
  addAccounts(command);
  addUnder(command, "accounts");
  command
    .optionsGroup(headings.output)
    .addOption(new Option("--all", "print one line for each profile of the rc file").conflicts("profile"));
  command.option("--json", "print one JSON document");
  command.option(...colorOption);
  addUnder(command, "conventions");
  command.action(async (options: Options & { readonly json?: true; readonly color: boolean }) => {
    const [
      { loadSettings },
      { overviewOf },
      { refusalOf },
      { inputsAtHand },
      { configJson, configText, profileLines },
      { fitted },
      { searchedFolders },
    ] = await Promise.all([
      import("../settings/run-settings.ts"),
      import("../settings/overview.ts"),
      import("../check/prepare/prepare.ts"),
      import("../settings/inputs.ts"),
      import("../report/settings-overview.ts"),
      import("../report/layout.ts"),
      import("../settings/rc-file.ts"),
    ]);
    const settings = await loadSettings(options, context, warnOn(context));
    const isList = options.all === true;
    const chosen = isList ? settings.profiles : [settings.profiles[0] ?? null];
    const inputs = inputsAtHand(context);
    const selected = selectedBy(options);
    const methods = (one: Settings) => (selected.length > 0 ? selected : one.methods);
    const overviews: SettingsOverview[] = [];
    for (const [index, profile] of chosen.entries()) {
      // Thousands of profiles take seconds. A signal is noticed only while nothing else runs.
      if (index % 100 === 99) await context.wait(0);
      const source = { profile, own: null };
      const one = orInputError(() => settings.of(source));
      // In a list, a profile that contradicts itself hides no other.
      if (one instanceof InputError && !isList) throw one;
      overviews.push(
        one instanceof InputError
          ? {
              ...nothingKnown,
              profile: settings.shownName(source),
              refusal: { message: one.message, hint: one.hint },
            }
          : overviewOf(one, methods(one), await refusalOf(one, inputs, selected), context),
      );
    }
    const isValid = overviews.every(
      (one) => one.settings.length > 0 && one.settings.every(({ problem }) => problem === null),
    );
    const exitCode = isValid ? 0 : exitCodeOf["not-checked"];
    const folders = settings.rc === null ? await searchedFolders(options, context) : [];
    if (options.json) {
      await context.stdout.write(configJson(overviews, folders, isList, exitCode));
    } else {
      const { environment, stdout } = context;
      const paint = await paintOf(wantsColor(stdout.isTerminal, options.color, environment));
      const text = isList
        ? profileLines(overviews, paint)
        : overviews.map((one) => configText(one, folders, paint)).join("");
      // A table may be as wide as the terminal.
      await stdout.write(fitted(text, columnsOf(stdout, Number.POSITIVE_INFINITY)));
    }
    exitWith(exitCode);
  });
};
