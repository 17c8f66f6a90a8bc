import { createHash } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { describe, expect, test } from "vitest";
import { type EmulatorAccount, knownAccounts } from "../../src/emulator/accounts.ts";
import { answerTo } from "../../src/emulator/answer.ts";
import { judgeRequest } from "../../src/emulator/judge.ts";
import { logLine, recordOfRequest } from "../../src/emulator/log.ts";
import { readRequest } from "../../src/emulator/request.ts";
import { leaks } from "../support/planted.ts";
import { known, noBody, now, unsteered, wsse } from "./support.ts";

type Sent = { readonly url?: string; readonly headers?: Readonly<Record<string, string>> };

/** All that an emulator with these accounts says of a request. */
function answering(all: readonly EmulatorAccount[]) {
  const accounts = knownAccounts(all);
  const rules = { ...unsteered, accounts, nonces: new Set<string>(), explain: true };
  const socket = { localAddress: "127.0.0.1", localPort: 1 };
  return ({ url = "/test-authentication", headers = {} }: Sent): string => {
    const values = Object.entries({ host: "localhost:1", ...headers }).map(([name, value]) => [
      name,
      [value],
    ]);
    const incoming = { method: "GET", url, socket, headersDistinct: Object.fromEntries(values) };
    const request = readRequest(incoming as unknown as IncomingMessage);
    const judgement = judgeRequest(request, noBody, rules, now / 1000);
    const answer = answerTo(judgement, rules);
    const received = recordOfRequest(request, judgement, answer, accounts, now);
    return `${logLine(received, accounts)}\n${JSON.stringify(received)}\n${answer.body}`;
  };
}

const many = 2_500;
const hex = (text: string): string => createHash("sha1").update(text).digest("hex");
const shapes = {
  random: (index: number) => [hex(`token ${index}`), hex(`secret ${index}`).slice(0, 24)],
  alike: (index: number) => [`test-token-${"x".repeat(index % 60)}${index}`, `test-secret-${index}`],
};
const accountsOf = (shape: keyof typeof shapes, length: number): readonly EmulatorAccount[] =>
  Array.from({ length }, (_, index) => {
    const [token = "", secret = ""] = shapes[shape](index);
    return { ...known, profile: `p${index}`, token, secret, username: `u${index}@example.com` };
  });

/** A request that is refused for a reason of its own, with this text of the client. */
const refusals: Readonly<Record<string, (text: string) => Sent>> = {
  "another path": (text) => ({ url: `/${text}` }),
  "another host": (text) => ({ headers: { host: text } }),
  "an origin": (text) => ({ headers: { origin: `http://${text}` } }),
  "another token": (text) => ({ headers: { "x-auth-token": text } }),
  "an unknown user": (text) => ({ headers: { "x-wsse": wsse({ username: text }) } }),
  "another digest": (text) => ({
    headers: { "x-wsse": wsse({ username: "u0@example.com" }), "x-note": text },
  }),
  "a malformed header": (text) => ({ headers: { "x-wsse": `UsernameToken ${text}="x"` } }),
};

describe.each(["random", "alike"] as const)(`${many} %s accounts`, (shape) => {
  const [one, all] = [1, many].map((length) => answering(accountsOf(shape, length)));

  test("cost no refusal more than five times what one costs", async () => {
    const text = `hello${"aGVsbG8gd29ybGQh".repeat(100)}${"test-token-xxxxxxxxx".repeat(88)}`;
    for (const [reason, sent] of Object.entries(refusals)) {
      const costOf = (answer: typeof one): number => {
        const before = process.threadCpuUsage();
        for (let count = 0; count < 10; count += 1) answer?.(sent(text));
        const { user, system } = process.threadCpuUsage(before);
        return (user + system) / 1_000;
      };
      // Most texts meet a few beginnings of 2,500 secrets: 1 to 2.6 times. Seeking each secret costs hundreds of times.
      const costsMore = (): boolean => costOf(all) > 5 * costOf(one) + 10;
      // The first attempt warms up, and another process may disturb one.
      expect(costsMore() && costsMore() && costsMore(), reason).toBe(false);
    }
  });

  test("no text about a request holds a token or secret of any, plain or encoded", () => {
    for (const index of [0, 7, many - 1]) {
      for (const secret of shapes[shape](index)) {
        const forms = [secret, Buffer.from(secret).toString("base64"), Buffer.from(secret).toString("hex")];
        const escaped = secret.replace(/./g, (one) => `%${Buffer.from(one).toString("hex")}`);
        for (const form of [...forms, escaped, secret.toUpperCase(), `x${secret}y`]) {
          for (const [reason, sent] of Object.entries(refusals))
            expect(leaks(all?.(sent(form)) ?? "", [secret, escaped, secret.toUpperCase()]), reason).toEqual(
              [],
            );
        }
      }
    }
  });
});

describe.each([1, 2_000])("with %i accounts, a wrong digest", (many) => {
  const answer = answering(accountsOf("random", many));
  const [, secret = ""] = shapes.random(0);
  const own = { username: "u0@example.com" };
  const costOf = (act: () => void, times: number): number => {
    const before = process.threadCpuUsage();
    for (let count = 0; count < times; count += 1) act();
    const { user, system } = process.threadCpuUsage(before);
    return (user + system) / times;
  };

  test("costs no more than 8,000 hashes more than a right one", () => {
    // A whole search makes some 4,100 hashes, and 8,000 of these take as long as twice that. Their time differs by ten times between machines, so it is measured here.
    const text = "x".repeat(100);
    const excess = (): number => {
      const wrong = costOf(() => answer({ headers: { "x-wsse": wsse({ ...own, secret: "other" }) } }), 20);
      return wrong - costOf(() => answer({ headers: { "x-wsse": wsse({ ...own, secret }) } }), 40);
    };
    // The clock of a thread may go in steps of 4 ms, so many hashes are measured: they took one step, two or none.
    const isTooMuch = (): boolean => excess() > 8_000 * costOf(() => hex(text), 40_000);
    // The first attempt warms up, and another process may disturb one.
    expect(isTooMuch() && isTooMuch() && isTooMuch()).toBe(false);
  });
});
