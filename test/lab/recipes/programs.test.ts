import { createRequire } from "node:module";
import { join } from "node:path";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { emulate } from "../../support/emulate.ts";
import { recipe } from "../../support/pages.ts";
import { planted } from "../../support/planted.ts";
import { bash, machineWith, start, validators } from "./machine.ts";

const accountWith = (secret: string) => ({ REFERRAL_USERNAME: planted.username, REFERRAL_SECRET: secret });

test.each([
  ["php", recipe("docs/wsse.md", "In your own program", "php")],
  ["python3", recipe("docs/wsse.md", "In your own program", "python")],
])(
  "the program for %s signs as the default convention does, and fails if it is refused",
  async (program, text) => {
    const api = await emulate();
    const machine = machineWith({ program: text });
    for (const secret of [planted.secret, "wrong"]) {
      const given = { REFERRAL_BASE_URL: api.url, ...accountWith(secret) };
      const run = await start(machine, program, ["program"], given);
      expect(run.exitCode === 0, run.everything).toBe(secret === planted.secret);
      expect(run.stdout.includes('"code":200')).toBe(secret === planted.secret);
    }
    // A note would name a shape that the API's documentation does not show.
    expect(api.log.join()).not.toContain("note:");
    expect(api.log).toHaveLength(2);
  },
);

test("the script for Postman signs as the default convention does, in a stand-in for its `pm`", async () => {
  const api = await emulate();
  const ofPackages = createRequire(join(validators, "package.json"));
  for (const secret of [planted.secret, "wrong"]) {
    const values: Readonly<Record<string, string>> = accountWith(secret);
    const sent = new Map<string, string>();
    const headers = { upsert: ({ key = "", value = "" }) => void sent.set(key, value) };
    const pm = { variables: { get: (name: string) => values[name] }, request: { headers } };
    runInNewContext(recipe("docs/wsse.md", "In your own program", "js"), { require: ofPackages, pm });
    const { status } = await fetch(`${api.url}/test-authentication`, { headers: [...sent] });
    expect(status).toBe(secret === planted.secret ? 200 : 401);
  }
  expect(api.log.join()).not.toContain("note:");
  expect(api.log).toHaveLength(2);
});

/** The field with the same value in the place of each that differs from request to request. */
const shapeOf = (field: string): string =>
  field
    .replace(/(?<=Username=")[^"]+/, "name")
    .replace(/(?<=PasswordDigest=")[^"]+=/, "digest=")
    .replace(/(?<=(?:Nonce|Created)=")[^"]+/g, (value) => value.replace(/[0-9a-f]/g, "0"));

test("docs/wsse.md shows the field as `header` prints it", async () => {
  const { stdout } = await bash(machineWith(), "referral-auth header --wsse", accountWith(planted.secret));
  expect(shapeOf(stdout)).toBe(shapeOf(recipe("docs/wsse.md", "WSSE and its conventions", "text")));
});
