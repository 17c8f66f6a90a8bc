import { expect, test } from "vitest";
import { InputError, Interrupted, OutputError } from "../src/errors.ts";
import { combinedExitCode, exitCodeOf, exitCodeOfError, exitCodes } from "../src/exit-codes.ts";

/** The table of the README, which users rely on: a change here breaks their scripts. */
const promised = [
  [0, "accepted", "the API accepted every credential"],
  [1, "failed", "a bug, or the result could not be written; never a verdict"],
  [2, "usage", "wrong usage of the command line"],
  [3, "not-checked", "a setting is missing or invalid; for that account nothing was sent"],
  [4, "rejected", "the API refused this credential"],
  [5, "unavailable", "the API answered 408, 429 or 5xx except 511, or asked for a pause"],
  [6, "unexpected", "a response that is not this API's"],
  [7, "unreachable", "no response: name lookup, connection, TLS or proxy"],
  [8, "timeout", "the deadline passed"],
  [129, "hung-up", "ended by SIGHUP: the terminal was closed"],
  [130, "interrupted", "ended by SIGINT (Ctrl-C)"],
  [143, "terminated", "ended by SIGTERM"],
];

test("every code has the name and the meaning that are promised, and every outcome the code of its name", () => {
  expect(exitCodes.map(({ code, name, meaning }) => [code, name, meaning])).toEqual(promised);
  expect(Object.fromEntries(exitCodes.map(({ name, code }) => [name, code]))).toMatchObject(exitCodeOf);
});

test.each([
  ["usage", new InputError("usage", "", "")],
  ["not-checked", new InputError("settings", "", "")],
  ["not-checked", structuredClone(new InputError("settings", "", ""))],
  ["not-checked", { ...new InputError("settings", "", "") }],
  ["timeout", AbortSignal.abort(new DOMException("", "TimeoutError")).reason],
  ["failed", AbortSignal.abort().reason],
  ["failed", Object.assign(new Error("of another"), { name: "TimeoutError" })],
  ["failed", null],
  ["failed", new OutputError("")],
  ["failed", "a text that was thrown"],
  ["hung-up", new Interrupted("SIGHUP")],
  ["interrupted", new Interrupted("SIGINT")],
  ["terminated", new Interrupted("SIGTERM")],
])("an error has the code of its name, %s: %s", (name, error) => {
  expect(exitCodes.find(({ code }) => code === exitCodeOfError(error))?.name).toBe(name);
});

test("of several outcomes the first of 1, 4, 6, 5, 8, 7 and 3 counts, whichever came first, and success counts last", () => {
  const all = Object.keys(exitCodeOf) as ReadonlyArray<keyof typeof exitCodeOf>;
  const kinds = [1, 4, 6, 5, 8, 7, 3, 0].flatMap((code) => all.filter((kind) => exitCodeOf[kind] === code));
  expect(kinds.toSorted()).toEqual(all.toSorted());
  for (const [index, kind] of kinds.entries()) {
    const later = kinds.slice(index);
    expect(combinedExitCode(later), kind).toBe(exitCodeOf[kind]);
    expect(combinedExitCode(later.toReversed()), kind).toBe(exitCodeOf[kind]);
  }
  expect(combinedExitCode([]), "a run that checked nothing").toBe(3);
});

// Programs without types, and results of another version, can hold anything.
test.each(["a-newer-kind", "toString", undefined])("the unknown outcome %s is a bug", (kind) => {
  const unknown = kind as keyof typeof exitCodeOf;
  expect([[unknown], ["accepted", unknown, "rejected"] as const].map(combinedExitCode)).toEqual([1, 1]);
});

test("an InputError keeps what it is in a clone", () => {
  const error = new InputError("settings", "m", "h");
  const data = { code: "ERR_REFERRAL_AUTH_SETTINGS", kind: "settings", hint: "h" };
  expect({ ...error }).toMatchObject(data);
  expect(structuredClone(error)).toMatchObject({ message: "m", cause: data });
});
