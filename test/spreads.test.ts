import { expect, test } from "vitest";
import { allModules, parseModule } from "./support/modules.ts";

/**
 * Calls with a list as arguments: each argument takes room on the stack, so a list of many thousand ends the run with a
 * RangeError. Here are those whose list is short, and why.
 */
const shortLists: Readonly<Record<string, readonly string[]>> = {
  "the arguments of one call of commander": [
    "src/app.ts: helpOption(...helpOption)",
    "src/commands/config.ts: option(...colorOption)",
    "src/commands/emulator.ts: helpOption(...helpOption)",
    "src/commands/setting-options.ts: helpOption(...helpOption)",
    "src/commands/test.ts: option(...colorOption)",
  ],
  "the settings of one credential": [
    "src/check/causes/response.ts: nowSet(...methodParts[evidence.credential.method].required)",
  ],
  "the experiments of one diagnosis, and the changes of one experiment": [
    "src/check/changes.ts: max(...experiments.map(({ changes }) => changes.length))",
    "src/check/diagnose/diagnose.ts: push(...tried)",
  ],
};

const spreads = allModules().flatMap(({ file, spreads }) => spreads.map((call) => `${file}: ${call}`));
const known = Object.values(shortLists).flat();

test("no call gets the elements of a list whose length is unknown", () => {
  expect(spreads.filter((call) => !known.includes(call))).toEqual([]);
});

test("every exception is needed", () => {
  expect(known.filter((call) => !spreads.includes(call))).toEqual([]);
});

test("calls are found; arrays, objects and parameters are none", () => {
  const text = `const f = (...all) => [...all, { ...all }]; Math.min(...lengths); new Date(...parts);
    all.push(first, ...rest); String.fromCharCode.apply(null, codes);`;
  const found = ["min(...lengths)", "Date(...parts)", "push(...rest)", "String.fromCharCode.apply"];
  expect(parseModule("src/wsse/x.ts", text).spreads).toEqual(found);
});
