import fc from "fast-check";
import { expect, test } from "vitest";
import { InputError } from "../../src/errors.ts";
import { flagLevel } from "../../src/settings/levels.ts";
import { definitionOf, flagOf, settingNames } from "../../src/settings/table.ts";
import { textSetting } from "../../src/settings/values.ts";
import { numRuns } from "../properties/runs.ts";
import { planted } from "../support/planted.ts";
import { runInProcess } from "../support/run.ts";
import { json, serve, success } from "../support/serve.ts";

// No setting of kind text has a default so far, so these tests read a choice as a text.
test("a text setting has its default if nothing is set, and null without a default", () => {
  expect(textSetting([], "digest")).toEqual({
    value: "text-nonce",
    shown: "text-nonce",
    source: { kind: "default" },
  });
  expect(textSetting([], "username")).toBeNull();
});

test.each(settingNames.filter((name) => definitionOf(name).kind === "text"))(
  "a %s that no header can carry exits 3, and nothing is sent",
  async (name) => {
    const api = await serve((_, response) => json(response, 200, success));
    const run = await runInProcess(["test", "--wsse", flagOf(name), "漢"], {
      environment: { REFERRAL_BASE_URL: api.url, REFERRAL_USERNAME: "u", REFERRAL_SECRET: planted.secret },
    });
    expect(run).toMatchObject({ exitCode: 3, stdout: "" });
    expect(run.stderr).toContain(`The ${name} from ${flagOf(name)} contains a control character`);
    expect(api.connections()).toBe(0);
  },
);

test("a text that no header can carry is an invalid setting, whatever it is", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.string({ unit: "binary" }), fc.constant("漢")), (text) => {
      const read = () => textSetting([flagLevel({ digest: text })], "digest").value;
      const accepted = (() => {
        try {
          return read();
        } catch (error) {
          expect(error).toBeInstanceOf(InputError);
          expect((error as InputError).kind).toBe("settings");
          return null;
        }
      })();
      // A header of Node takes what is accepted, and gives it back as it was.
      if (accepted === null) return;
      expect(new Headers({ "x-text": accepted }).get("x-text")).toBe(text);
    }),
    { numRuns },
  );
  expect(() => textSetting([flagLevel({ digest: "漢" })], "digest")).toThrow(
    "The digest from --digest contains a control character or one outside ASCII",
  );
});
