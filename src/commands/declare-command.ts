import type { Command } from "commander";
import type { Context } from "../system/context.ts";

/** Declares a command of the program. Its action passes the exit code to `exitWith`. */
export type DeclareCommand = (program: Command, context: Context, exitWith: (code: number) => void) => void;
