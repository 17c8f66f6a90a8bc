import { RunInputs } from "../../src/settings/inputs.ts";
import type { SettingText } from "../../src/settings/levels.ts";
import type { Source, Trust } from "../../src/settings/source.ts";
import type { SettingName } from "../../src/settings/table.ts";
import type { Context } from "../../src/system/context.ts";
import { contextOf } from "../support/run.ts";
import { rcSource } from "./settings-of.ts";

/** Places where a setting can be set. */
export const flag: Source = { kind: "flag", flag: "--token-file" };
export const variable: Source = { kind: "environment", variable: "REFERRAL_TOKEN_FILE" };
export const rc = (trust: Trust): Source => ({ ...rcSource("tokenFile", trust), file: "/own/rc" });
/** A setting with this text. */
export function given(text: string, source = flag, setting: SettingName = "tokenFile"): SettingText {
  return { setting, text, source };
}

/** A part of a context that throws. */
export const failing = (error: Error) => () => {
  throw error;
};

/** A context in which every path exists once, and what was called of it. */
export function recording(more: Partial<Context> = {}) {
  const calls: unknown[][] = [];
  const warnings: string[] = [];
  const bytes = Buffer.from("content");
  const called = (...call: unknown[]) => {
    calls.push(call);
    return bytes;
  };
  const context: Context = {
    ...contextOf([]),
    workingFolder: "/working",
    homeFolder: "/home/me",
    readNamedFile: async (path, most, signal) => ({
      bytes: called("yours", path, most, signal.aborted),
      mode: null,
      owner: null,
    }),
    readFile: (path, most) => ({ bytes: called("found", path, most), mode: null, owner: null }),
    realPath: (path) => path,
    fileExists: () => true,
    readStdin: async (most, label) => called("standard input", most, label),
    runCommand: async (words, { folder, maxBytes, deadlineSeconds }) =>
      called(words, folder, maxBytes, deadlineSeconds),
    ...more,
  };
  return {
    calls,
    context,
    inputs: new RunInputs(context, async (text) => void warnings.push(text)),
    warnings,
  };
}
