import fc from "fast-check";
import { expect, test } from "vitest";
import { reasonText } from "../../src/emulator/answer.ts";
import { createdSeconds } from "../../src/emulator/created.ts";
import { forms } from "../../src/emulator/forms.ts";
import { conventionNames, hashNames } from "../../src/wsse/digest.ts";
import { createdAt } from "../../src/wsse/header.ts";
import {
  credentials,
  headerWith,
  judgementOf,
  nonce,
  now,
  verdict,
  withToken,
  withWsse,
  wsse,
} from "./support.ts";

test("with every convention and hash, --strict accepts what a client sends", () => {
  for (const digest of conventionNames)
    for (const hash of hashNames)
      expect(verdict(withWsse(wsse({ digest, hash })), { digest, hash, strict: true })).toMatch(/^200 /);
});

test("accepts every printable nonce, hashed as sent, in every order, and notes what is unusual", () => {
  const clock = new Date(now).toISOString();
  const created = fc.constantFrom(clock, clock.replace("Z", "+00:00"), clock.replaceAll(/[-:]|\.000/g, ""));
  const text = fc.stringMatching(/^[ !#-~]{1,128}$/);
  const order = fc.shuffledSubarray([0, 1, 2, 3], { minLength: 4 });
  fc.assert(
    fc.property(text, created, order, fc.constantFrom(...conventionNames), (wire, time, places, digest) => {
      const [written = ""] = headerWith(wire, time, { digest })["x-wsse"] ?? [];
      const parts = /^UsernameToken (.*), (P.*), (Nonce=.*), (C.*)$/.exec(written)?.slice(1) ?? [];
      const headers = withWsse(`UsernameToken ${places.map((place) => parts[place]).join(", ")}`);
      const { status, notes } = judgementOf({ headers }, { digest });
      const isUsual = places.join() === "0,1,2,3";
      const unusual = [...(isUsual ? [] : [/^X-WSSE does not/]), /^Nonce is not /, /^Created is not /];
      expect({ status, notes }).toEqual({
        status: 200,
        notes: unusual.map((note) => expect.stringMatching(note)),
      });
      const strict = judgementOf({ headers }, { digest, strict: true });
      expect(strict).toMatchObject({ reasons: [{ rule: "malformed", detail: notes.join("; ") }], notes: [] });
    }),
  );
});

test("a token or username that is written in a form of the table is named by it", () => {
  const name = "me+you@example.com/";
  for (const { words, write, read } of forms)
    for (const [rule, value, headersOf] of [
      ["token", "ab+cd/ef\"ghijklmnop+qrst'uvwxyz", withToken],
      ["unknown user", name, (username: string) => withWsse(wsse({ username }))],
    ] as const) {
      const sent = write(value);
      if (sent === value || read(sent) !== value || (rule !== "token" && /["\n]/.test(sent))) continue;
      const changes = { token: rule === "token" ? value : "x", username: name };
      const { reasons } = judgementOf({ headers: headersOf(sent) }, changes);
      const detail = expect.stringMatching(/is written |is in another|has more/);
      expect(reasons, words).toContainEqual({ rule, detail, change: expect.stringMatching(/./) });
      expect(reasonText(reasons), words).not.toContain(rule === "token" ? value : credentials.secret);
    }
});

test("the last 100,000 nonces are remembered", () => {
  const nonces = new Set(Array.from({ length: 100_000 }, (_, index) => `${index}`));
  const sent = (wire: string) => verdict(headerWith(wire, "2026-11-21T03:31:00+00:00"), { nonces });
  const replayed = expect.stringMatching(/^401 replayed: the Nonce has been used before/);
  expect(["new", "new", "1", "0"].map(sent)).toEqual([
    "200 accepted: X-WSSE",
    ...[replayed, replayed],
    "200 accepted: X-WSSE",
  ]);
});

test("a nonce is accepted once, and only an accepted request uses it up, or a planned answer", () => {
  const nonces = new Set<string>();
  const answers = [{ status: 503 }];
  const sent = (changes: object, request = {}, planned: typeof answers = []) =>
    judgementOf({ headers: withWsse(wsse({ nonce, ...changes })), ...request }, { nonces, answers: planned })
      .status;
  expect(sent({ secret: "other" })).toBe(401);
  expect(sent({ now: now - 301_000 })).toBe(401);
  expect(sent({}, { path: "/x" }, answers)).toBe(404);
  expect(sent({}, { hosts: ["evil.example"] }, answers)).toBe(421);
  expect(sent({}, { headers: { "sec-fetch-site": ["cross-site"] } }, answers)).toBe(403);
  expect(sent({}, { method: "POST" })).toBe(405);
  expect(sent({}, { method: "OPTIONS" })).toBe(204);
  expect(sent({}, {}, answers)).toBe(503);
  expect([answers, nonces]).toEqual([[], new Set()]);
  expect([sent({}), sent({})]).toEqual([200, 401]);
});

test("a Created that is off by whole quarters of an hour, within 30 seconds, is local time marked as UTC", () => {
  const quarters = fc.integer({ min: -56, max: 56 }).filter((one) => one !== 0);
  fc.assert(
    fc.property(quarters, fc.integer({ min: -449, max: 450 }), (quarter, off) => {
      const said = verdict(withWsse(wsse({ now: now + (quarter * 900 + off) * 1000 })));
      const isAccepted = Math.abs(quarter * 900 + off) <= 300;
      expect([said.startsWith("200"), said.includes("local time that is marked as UTC")]).toEqual([
        isAccepted,
        !isAccepted && Math.abs(off) <= 30,
      ]);
    }),
  );
});

test("every time from year 0 to 9999 is read as the client writes it, and in every form and time zone", () => {
  const time = fc.integer({ min: Date.parse("0000-01-02"), max: Date.parse("9999-12-30") });
  const offset = fc.integer({ min: -23 * 60 - 59, max: 23 * 60 + 59 });
  fc.assert(
    fc.property(time, offset, fc.constantFrom("", ":"), (now, minutes, colon) => {
      const seconds = Math.floor(now / 1000);
      const text = new Date(now).toISOString();
      const [date = "", clock = ""] = text.split(/[T.]/);
      const two = (value: number): string => String(Math.floor(value)).padStart(2, "0");
      const sign = minutes < 0 ? "-" : "+";
      const hours = sign + two(Math.abs(minutes) / 60);
      const basic = `${date.replaceAll("-", "")}T${clock.replaceAll(":", "")}Z`;
      for (const one of [createdAt(now), text, basic]) expect(createdSeconds(one)).toBe(seconds);
      const local = createdSeconds(`${date}T${clock}${hours}${colon}${two(Math.abs(minutes) % 60)}`);
      expect(local).toBe(seconds - minutes * 60);
      // A zone of whole hours, and a time of whole minutes.
      const short = createdSeconds(`${date}T${clock.slice(0, 5)}${hours}`);
      expect(short).toBe(seconds - (((seconds % 60) + 60) % 60) - Math.trunc(minutes / 60) * 3600);
    }),
    { examples: [[Date.parse("2024-02-29"), -330, ":"]] },
  );
});
