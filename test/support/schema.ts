import { readFileSync } from "node:fs";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { expect } from "vitest";

/** The validator of a shipped schema. */
export function validatorOf(name: "result" | "referralrc"): ValidateFunction {
  const schema = readFileSync(new URL(`../../schema/${name}.schema.json`, import.meta.url), "utf8");
  return new Ajv2020({ allErrors: true, allowUnionTypes: true }).compile(JSON.parse(schema));
}

let validate: ValidateFunction | undefined;

/** Fails the test whose run printed something under `test --json` that is not one document of the shipped schema. */
export function expectResultDocument(args: readonly string[], stdout: string): void {
  if (args[0] !== "test" || !args.includes("--json") || stdout === "") return;
  validate ??= validatorOf("result");
  validate(JSON.parse(stdout));
  expect(validate.errors ?? []).toEqual([]);
}
