import { describe, expect, test } from "vitest";
import { flagLevel, type Level } from "../../src/settings/levels.ts";
import { readers } from "../../src/settings/readers.ts";
import type { Source } from "../../src/settings/source.ts";
import { definitionOf, flagOf, type SettingName, settingNames } from "../../src/settings/table.ts";

const none: Level = new Map();

/** A line of an rc file that sets something. */
function rc(setting: SettingName, text: string): Level {
  const source: Source = { kind: "rc", file: "/rc", line: 3, key: setting, trust: "yours" };
  return new Map([[setting, { setting, text, source }]]);
}

function variable(setting: SettingName, text: string): Level {
  return new Map([[setting, { setting, text, source: { kind: "environment", variable: "REFERRAL_X" } }]]);
}

/** What counts for a setting. */
const read = (name: SettingName, ...layers: readonly Level[]) => readers[name](layers);

describe("a setting that is not set", () => {
  test.each([
    ["digest", "text-nonce"],
    ["hash", "sha1"],
    ["timeout", 10],
    ["retry", 0],
    ["concurrency", 8],
  ] as const)("%s is %s by default", (name, value) => {
    expect(read(name, none)).toEqual({ value, source: { kind: "default" } });
  });

  test.each(settingNames)("%s is null exactly if it has no default", (name) => {
    expect(read(name, none) === null).toBe(definitionOf(name).fallback === undefined);
  });
});

test.each(["token", "secret"] as const)(
  "a file named above the %s hides it, and the other way round",
  (name) => {
    const file = `${name}File` as const;
    const [value, path] = [rc(name, "value"), rc(file, "./path")];
    expect(read(name, path, value)).toBeNull();
    expect(read(file, path, value)).toMatchObject({ text: "./path" });
    expect(read(name, value, path)).toMatchObject({ text: "value" });
    expect(read(file, value, path)).toBeNull();
  },
);

describe("a number", () => {
  test.each([
    ["timeout", "0.001"],
    ["timeout", "86400"],
    ["timeout", "2.5"],
    ["timeout", "1.123456789"],
    ["retry", "0"],
    ["retry", "100"],
    ["concurrency", "1"],
    ["concurrency", "1000"],
  ] as const)("%s can be %s", (name, text) => {
    const source = { kind: "flag", flag: flagOf(name) };
    expect(read(name, flagLevel({ [name]: text }))).toEqual({ value: Number(text), source });
  });

  const bounds = {
    timeout: ["is not a number from 0.001 to 86400", "Write a number like 5"],
    retry: ["is not a whole number from 0 to 100", "Write a whole number like 5"],
    concurrency: ["is not a whole number from 1 to 1000", "Write a whole number like 5"],
  } as const;

  test.each([
    [
      "timeout",
      ["0", "0.0009", "86400.1", "86401", "1.", ".5", "1.1234567890", "0000000001", "1e1", "-1", "5 s"],
    ],
    ["retry", ["101", "-1", "1.5", "0000000001", "one", "", " 1", "1 ", "0x1"]],
    ["concurrency", ["0", "1001", "2.0"]],
  ] as const)("%s cannot be any of %j", (name, texts) => {
    const [problem, hint] = bounds[name];
    for (const text of texts) {
      expect(() => read(name, rc(name, text)), text).toThrow(
        expect.objectContaining({ kind: "settings", message: `${name} in /rc, line 3 ${problem}`, hint }),
      );
    }
  });
});

describe("a choice", () => {
  test("is one of its list", () => {
    expect(read("hash", rc("hash", "sha512"))).toMatchObject({ value: "sha512" });
  });

  test.each([
    ["sha-256", "Did you mean sha256?"],
    ["whirlpool", "Write one of them"],
  ])("%s is refused with the list and a hint", (text, hint) => {
    const message = "hash in /rc, line 3 is not one of sha1, sha256, sha512";
    expect(() => read("hash", rc("hash", text))).toThrow(expect.objectContaining({ message, hint }));
  });
});

describe("a value that cannot be used", () => {
  test.each([
    ["timeout", "x", "usage"],
    ["hash", "x", "usage"],
    ["baseUrl", "x", "settings"],
    ["proxy", "x y", "settings"],
  ] as const)("%s %j is wrong usage only as the number or choice of a flag", (name, text, kind) => {
    expect(() => read(name, flagLevel({ [name]: text }))).toThrow(expect.objectContaining({ kind }));
    for (const layer of [variable(name, text), rc(name, text)]) {
      expect(() => read(name, layer)).toThrow(expect.objectContaining({ kind: "settings" }));
    }
  });
});

describe("a base URL", () => {
  test("is an endpoint", () => {
    const setting = read("baseUrl", rc("baseUrl", "HTTPS://api.example.com/v1/"));
    expect(setting).toMatchObject({
      value: { url: { href: "https://api.example.com/v1/test-authentication" } },
      source: { line: 3 },
    });
  });

  test("that cannot be used names its source, the problem and what to write", () => {
    expect(() => read("baseUrl", variable("baseUrl", "api.example.com"))).toThrow(
      expect.objectContaining({
        message: "REFERRAL_X does not begin with https:// or http://",
        hint: "Write it in full, like https://api.example.com/v1",
      }),
    );
  });

  test("that cannot be used is no reason to refuse the proxy", () => {
    const layers = [new Map([...rc("baseUrl", "x"), ...rc("proxy", "p:3128")])];
    expect(readers.proxy(layers)?.value.href).toBe("http://p:3128/");
  });
});

describe("a username", () => {
  test.each([
    ["a variable", variable("username", "m\u00fc"), "The username from REFERRAL_X contains a control"],
    ["an rc file", rc("username", " me"), "The username in /rc, line 3 begins or ends with white space"],
    ["a flag", flagLevel({ username: 'a"b' }), 'The username from --username contains a " or \\'],
  ])("from %s that the header cannot carry is refused", (_, layer, message) => {
    expect(() => read("username", layer)).toThrow(
      expect.objectContaining({
        kind: "settings",
        message: expect.stringContaining(message),
        hint: "Write it exactly as the account shows it",
      }),
    );
  });
});
