import { expect, test } from "vitest";
import type { Emulator } from "../../src/emulator/emulator.ts";
import type { EmulatorOptions } from "../../src/emulator/options.ts";
import { startEmulator } from "../../src/library/emulator.ts";
import { trusted } from "../faults/authority.ts";
import { credentials, headerWith, send, startTestEmulator } from "./support.ts";

type Running = Emulator & { readonly log: readonly string[] };
/** A value of an option, and what shows its effect: it differs from that of an emulator without the option. */
type Effect<Value> = readonly [value: Value, look: (emulator: Running) => unknown, needs?: EmulatorOptions];

const statusWith = async ({ url }: Running, headers: object): Promise<number> =>
  (await send(url, { headers: { "X-Auth-Token": credentials.token, ...headers } })).status;
const lines: string[] = [];
const free = await startEmulator();
await free.close();

const effects: { readonly [Name in keyof EmulatorOptions]-?: Effect<EmulatorOptions[Name]> } = {
  accounts: [[{ ...credentials, token: "another" }], (emulator) => statusWith(emulator, {})],
  digest: ["hex-digest", ({ accounts }) => accounts[0].digest],
  hash: ["sha512", ({ accounts }) => accounts[0].hash],
  authorization: ["wsse", ({ accounts }) => accounts[0].authorization],
  strict: [
    true,
    async ({ url }) => {
      const [value] = headerWith("0", "2026-11-21T03:31:00+00:00")["x-wsse"] ?? [];
      return (await send(url, { headers: { "X-WSSE": value } })).status;
    },
  ],
  port: [free.port, ({ port }) => port],
  host: ["127.0.0.2", ({ url }) => new URL(url).hostname],
  allowHosts: [["api"], (emulator) => statusWith(emulator, { Host: "api" })],
  explain: [true, async ({ url }) => (await send(url)).body],
  clockOffsetSeconds: [400, async ({ url }) => (await send(url)).headers.date],
  latencyMs: [
    200,
    async ({ url }) => {
      const before = performance.now();
      await send(url);
      return performance.now() - before > 150;
    },
  ],
  answer: [503, (emulator) => statusWith(emulator, {})],
  control: [true, async ({ url }) => (await send(url, { path: "/__emulator/requests" })).status],
  cert: [trusted.cert, ({ url }) => new URL(url).protocol, { key: trusted.key }],
  key: [trusted.key, ({ url }) => new URL(url).protocol, { cert: trusted.cert }],
  log: [
    (line) => lines.push(line),
    async ({ url }) => {
      await send(url);
      return lines.splice(0).length;
    },
  ],
};

test.each(Object.entries(effects))("the option %s has an effect", async (name, [value, look, needs]) => {
  const plain = await look(await startTestEmulator());
  expect(await look(await startTestEmulator({ [name]: value, ...needs }))).not.toEqual(plain);
});
