import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { logEntry } from "../../../src/emulator/log.ts";
import { wrapped } from "../../../src/report/layout.ts";
import { paintOf } from "../../../src/report/paint.ts";
import { defaultAlgorithm } from "../../../src/wsse/digest.ts";
import { usernameToken, type WsseInput, wsseValue } from "../../../src/wsse/header.ts";
import { emulate } from "../../support/emulate.ts";
import { recipe } from "../../support/pages.ts";
import { planted } from "../../support/planted.ts";
import { bash, npmMachine } from "./machine.ts";

test("the tests that an emulator starts get its variables, and their exit code is its own", async () => {
  const script = 'test -n "$REFERRAL_SECRET" && referral-auth test --quiet && echo both accepted && exit 5';
  const machine = await npmMachine();
  writeFileSync(join(machine.folder, "package.json"), JSON.stringify({ scripts: { test: script } }));
  const run = await bash(machine, recipe("docs/emulator.md", "In your tests", "bash"));
  expect(run, run.everything).toMatchObject({
    exitCode: 5,
    stdout: expect.stringMatching(/^both accepted$/m),
  });
});

test("docs/emulator.md shows what a terminal shows of a header that is stale and signed in another way", async () => {
  const api = await emulate();
  const nonce = Buffer.from("0123456789abcdef0123");
  const send = (changes: Partial<WsseInput>): Promise<Response> => {
    const token = usernameToken({ ...planted, ...defaultAlgorithm, nonce, now: Date.now(), ...changes });
    return fetch(`${api.url}/test-authentication`, { headers: { "X-WSSE": wsseValue(token) } });
  };

  expect((await send({})).status).toBe(200);
  const other = Buffer.from("fedcba9876543210fedc");
  const later = { hash: "sha256", nonce: other, now: Date.now() - 400_000 } as const;
  expect((await send(later)).status).toBe(401);

  const plain = await paintOf(false, 100);
  const screen = { ...plain, wrapped: (text: string, column: number) => wrapped(text, plain, column) };
  const [, refused] = api.requests;
  const printed = refused && logEntry(refused, [], screen);
  const shown = recipe("docs/emulator.md", "Your own client gets 401?", "text").trim();
  const timeless = (text = ""): string => text.replace(/(?:\d{4}-\d\d-\d\dT)?\d\d:\d\d:\d\d/g, "…");
  expect(timeless(printed)).toBe(timeless(shown));
});
