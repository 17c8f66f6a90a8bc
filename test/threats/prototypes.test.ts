import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { folderWith } from "../support/folder.ts";
import { planted } from "../support/planted.ts";
import { runInProcess } from "../support/run.ts";
import { config, rcNames, refuses, valuesOf } from "./rc.ts";

describe("keys that mean something to JavaScript", () => {
  const evil = { baseUrl: "https://canary.invalid", token: planted.token, polluted: "yes" };
  const names = [
    "__proto__",
    "constructor",
    "prototype",
    "toString",
    "hasOwnProperty",
    "valueOf",
    "__defineGetter__",
  ];

  test.each(names.flatMap((key) => rcNames.map((name) => [key, name] as const)))(
    "%s in %s sets nothing anywhere",
    async (key, name) => {
      const json = JSON.stringify(evil);
      for (const content of [
        `{ "${key}": ${json} }`,
        `{ "profiles": { "p": { "${key}": ${json} } } }`,
        `{ "profiles": { "p": { "username": { "${key}": ${json} } } } }`,
      ]) {
        const run = await config(content, name);
        refuses(run);
        expect(run.everything).not.toContain("canary.invalid");
        expect({}).not.toHaveProperty("polluted");
      }
    },
  );

  test.each(names)("%s works as the name of a profile", async (name) => {
    const content = `{ "username": "top@example.com", "profiles": { "${name}": { "username": "p@example.com" } } }`;
    const file = join(folderWith({ rc: content }), "rc");
    const chosen = await runInProcess(["config", "--json", "--config", file, "--profile", name]);
    expect(valuesOf(chosen).username).toBe("p@example.com");
    const other = folderWith({ rc: '{ "profiles": { "p": {} } }' });
    refuses(
      await runInProcess(["config", "--config", join(other, "rc"), "--profile", name]),
      "no such profile",
    );
  });
});
