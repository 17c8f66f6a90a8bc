import { createHash } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { describe, expect, test } from "vitest";
import { type EmulatorAccount, knownAccounts } from "../../src/emulator/accounts.ts";
import { answerTo } from "../../src/emulator/answer.ts";
import { hashed } from "../../src/emulator/deviations.ts";
import { searched } from "../../src/emulator/digest-search.ts";
import { judgeRequest } from "../../src/emulator/judge.ts";
import { logEntry, recordOfRequest } from "../../src/emulator/log.ts";
import { readRequest } from "../../src/emulator/request.ts";
import { readingsOf } from "../../src/emulator/values.ts";
import { conventionNames, hashNames } from "../../src/wsse/digest.ts";
import { usernameToken } from "../../src/wsse/header.ts";
import { costsMore } from "../support/growth.ts";
import { leaks } from "../support/planted.ts";
import { known, noBody, now, randomBytes, unsteered, wsse } from "./support.ts";

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
    return `${logEntry(received, accounts.all)}\n${JSON.stringify(received)}\n${answer.body}`;
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

  test("cost no refusal many times what one costs", () => {
    const text = `hello${"aGVsbG8gd29ybGQh".repeat(100)}${"test-token-xxxxxxxxx".repeat(88)}`;
    for (const [reason, sent] of Object.entries(refusals)) {
      // Most texts meet a few beginnings of 2,500 secrets: 1 to 2.6 times. Seeking each secret costs hundreds of times.
      const isTooMuch = costsMore(
        20,
        () => all?.(sent(text)),
        () => one?.(sent(text)),
      );
      expect(isTooMuch, reason).toBe(false);
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

test("a search for a wrong digest makes at most 4,000 hashes, whatever convention and hash it seeks", () => {
  for (const digest of conventionNames)
    for (const hash of hashNames) {
      const sent = usernameToken({ ...known, digest, hash, now, nonce: randomBytes(20), secret: "another" });
      let count = 0;
      const counted: typeof hashed = (...all) => {
        count += 1;
        return hashed(...all);
      };
      const readings = readingsOf(sent.passwordDigest, 4);
      expect(searched(sent, readings, { ...known, digest, hash }, counted)).toBeNull();
      expect(count, `${digest} ${hash}`).toBeLessThan(4_000);
    }
});
