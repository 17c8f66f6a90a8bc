import { createHash } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { describe, expect, test } from "vitest";
import { type EmulatorAccount, knownAccounts } from "../../src/emulator/accounts.ts";
import { answerTo } from "../../src/emulator/answer.ts";
import { judge } from "../../src/emulator/judge.ts";
import { logLine, receivedRequest } from "../../src/emulator/log.ts";
import { requestOf } from "../../src/emulator/request.ts";
import { scale } from "../properties/runs.ts";
import { leaks } from "../support/planted.ts";
import { isOutOfProportion, processorTime } from "../support/processor-time.ts";
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
    const request = requestOf(incoming as unknown as IncomingMessage);
    const judgement = judge(request, noBody, rules, now / 1000);
    const answer = answerTo(judgement, rules);
    const received = receivedRequest(request, judgement, answer, accounts, now);
    return `${logLine(received, accounts)}\n${JSON.stringify(received)}\n${answer.body}`;
  };
}

const many = 12_500 * scale;
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

describe.each(["random", "alike"] as const)("of %s accounts", (shape) => {
  const [one, all] = [1, many].map((length) => answering(accountsOf(shape, length)));

  test.each([
    ["a word", "hello"],
    ["base64", "aGVsbG8gd29ybGQh".repeat(100 * scale)],
    ["the beginning of tokens", "test-token-xxxxxxxxx".repeat(88 * scale)],
  ])(`${many} cost no refusal more than twice what one costs: with %s`, async (_, text) => {
    for (const [reason, sent] of Object.entries(refusals)) {
      const costOf = async (answer: typeof one): Promise<number> => {
        const repeat = (): void => {
          for (let count = 0; count < 10; count += 1) answer?.(sent(text));
        };
        return (await processorTime(repeat)).milliseconds;
      };
      const costsMore = async (): Promise<boolean> => (await costOf(all)) > 2 * (await costOf(one)) + 10;
      // The first attempt warms up, and another process may disturb one.
      expect((await costsMore()) && (await costsMore()) && (await costsMore()), reason).toBe(false);
    }
  });

  test("no text about a request holds a token or secret of any, plain or encoded", () => {
    for (const index of [0, 1, 7, 1_000, 7_123, many - 1]) {
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

/** Where a client's text goes; what stands before and behind what is repeated; and what is repeated. */
const texts: ReadonlyArray<readonly [where: string, before: string, after: string, runs: readonly string[]]> =
  [
    ["url", "/", "", ["a", "%25", "aGVs", "41", "[", "\\", "::", "#", "?", known.token.slice(0, 20)]],
    ["url", "http://", "", ["a", "?", "[", ":"]],
    ["host", "", "", ["[", ":", "1", "[]", "a:"]],
    ["host", "localhost:", "x", ["1"]],
    ["origin", "", "", [":"]],
    ["x-auth-token", '"', "", ["a", '"', "'", "Bearer "]],
    ["x-auth-token", "Bearer ", "", [" "]],
    ...["WSSE", "WSSE profile", "WSSE profile=", 'WSSE profile="UsernameToken'].map(
      (before) => ["authorization", before, "", [" "]] as const,
    ),
    ...["", " Username", " Username=", ' Username="a"'].map(
      (before) => ["x-wsse", `UsernameToken${before}`, "", [" "]] as const,
    ),
    ["x-wsse", "UsernameToken ", "", ["a", " ,", 'Username="a",', "Username=", '"']],
    ["x-wsse", 'UsernameToken Username="', "", ["a"]],
    ["x-wsse", `${wsse()},`, "", [" "]],
    ["x-wsse", wsse().replace(/(?<=Digest=").*/, ""), wsse().replace(/.*(?<=Digest=")/, ""), ["0", "f", "="]],
    ...["2026-11-21T03:31:00.", "2026-11-21T03:31:00+00", ""].map(
      (time) => ["x-wsse", wsse().replace(/(?<=Created=").*/, time), '"', ["0"]] as const,
    ),
    ["x-note", "", "", ["a", "%25", "aGVs", "[::"]],
  ];

test.each(
  texts.flatMap(([where, before, after, runs]) => runs.map((run) => [where, before, after, run] as const)),
)(
  "what a client sends takes time in proportion to its length: %s %j %j with many %j",
  async (where, before, after, run) => {
    const answer = answering([known]);
    const timeOf = async (length: number): Promise<number> => {
      const text = `${before}${run.repeat(length / run.length)}${after}`;
      const request = where === "url" ? { url: text } : { headers: { [where]: text } };
      answer(request);
      return (await processorTime(() => answer(request))).milliseconds;
    };
    expect(await isOutOfProportion(timeOf, 5_000)).toBe(false);
  },
);
