import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { rcSchema } from "../scripts/write-schema.ts";
import { methods } from "../src/check/outcome.ts";
import { exitCodeOf, exitCodes } from "../src/exit-codes.ts";
import { expectResultDocument, validatorOf } from "./support/schema.ts";

const shipped = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`../schema/${name}.schema.json`, import.meta.url), "utf8"));

test("the schema of the rc file is derived from the table of settings (npm run schema)", () => {
  expect(shipped("referralrc")).toEqual(JSON.parse(JSON.stringify(rcSchema())));
});

test("the schema of the result names every outcome, method and exit code", () => {
  const schema = shipped("result") as {
    properties: { exitCode: { enum: number[] } };
    $defs: { check: { properties: { outcome: { enum: string[] }; method: { enum: string[] } } } };
  };
  expect(schema.properties.exitCode.enum).toEqual(exitCodes.map(({ code }) => code));
  expect(schema.$defs.check.properties.outcome.enum.toSorted()).toEqual(Object.keys(exitCodeOf).toSorted());
  expect(schema.$defs.check.properties.method.enum).toEqual([...methods, null]);
});

test("the example rc file and what is commented in it fit the schema", () => {
  const text = readFileSync(new URL("../.referralrc.example", import.meta.url), "utf8");
  const validate = validatorOf("referralrc");
  expect([validate(parse(text)), validate.errors]).toEqual([true, null]);
  const everything = parse(text.replace(/^# {1,5}(?=[a-zA-Z]+:(?: |$))/gm, (mark) => mark.slice(2)));
  expect([validate(everything), validate.errors]).toEqual([true, null]);
});

test("a rc file with an unknown key, a wrong type or an unknown digest does not fit", () => {
  const validate = validatorOf("referralrc");
  for (const wrong of [
    { tokn: "x" },
    { token: 1 },
    { digest: "md5" },
    { profiles: { a: { b: 1 } } },
    { retry: 1.5 },
  ]) {
    expect(validate(wrong), JSON.stringify(wrong)).toBe(false);
  }
});

test("the check of every run's document can fail", () => {
  expect(() => expectResultDocument(["test", "--json"], '{"schemaVersion":1}')).toThrow();
});
