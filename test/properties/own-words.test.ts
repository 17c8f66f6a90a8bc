import fc from "fast-check";
import { expect, test } from "vitest";
import { leaks, planted } from "../support/planted.ts";
import { processorTime } from "../support/processor-time.ts";
import { runInProcess } from "../support/run.ts";
import { json, serve, success } from "../support/serve.ts";

type Answer = (response: Parameters<typeof json>[0]) => void;

const answers: readonly Answer[] = [
  (response) => json(response, 200, success),
  (response) => json(response, 401, { code: 401, message: "No" }),
  (response) => json(response, 503, {}, { "retry-after": "7" }),
  (response) => json(response, 200, { code: 401, message: "No" }),
  (response) => json(response, 200, []),
  (response) => json(response, 302, {}, { location: "https://192.0.2.1/" }),
  (response) => json(response, 404, {}),
  (response) => json(response, 401, {}, { "www-authenticate": "Basic" }),
  (response) => void response.socket?.end("SSH-2.0\r\n"),
  (response) => void response.socket?.destroy(),
];

const withoutTimes = (text: string): string =>
  text.replace(
    /\d+ ms|\d+ characters|"(?:durationMs|skewSeconds)": -?\d+|\d+(?=, "uncertaintySeconds)/g,
    "SIZE",
  );

test("a token that is a common word does not remove that word from our own sentences", async () => {
  let answer: Answer = () => {};
  const api = await serve((_request, response) => answer(response));
  const outputs = [["test"], ["test", "--json"], ["test", "--diagnose"], ["config"], ["config", "--json"]];
  const shown = async (args: readonly string[], token: string): Promise<string> => {
    const environment = { REFERRAL_BASE_URL: api.url, REFERRAL_TOKEN: token };
    const { everything } = await runInProcess(args, { environment });
    return withoutTimes(everything);
  };
  for (const one of answers) {
    answer = one;
    for (const args of outputs) {
      const expected = await shown(args, "Zq8XvK2m-Zq8XvK2m");
      // What others wrote in it: the server's answer, and the host of the base URL.
      const foreign = /^(?:Hello|were|successfully|authenticated|planted|example|basic)$/i;
      const words = [...new Set(expected.match(/[A-Za-z]{4,}/g))].filter((word) => !foreign.test(word));
      await fc.assert(
        fc.asyncProperty(fc.constantFrom(...words), async (word) => {
          expect(await shown(args, word)).toBe(expected);
        }),
        { numRuns: Math.min(words.length, 15) },
      );
    }
  }
}, 60_000);

const digits = fc.oneof(
  fc.integer({ min: 1_000, max: Number.MAX_SAFE_INTEGER }).map(String),
  fc.string({ unit: fc.constantFrom(..."123456789"), minLength: 4, maxLength: 40 }),
);

test("a token of digits is not shown if a server sends it back as a number", async () => {
  let reply: Answer = () => {};
  const api = await serve((_request, response) => reply(response));
  await fc.assert(
    fc.asyncProperty(
      digits.filter((token) => !api.url.includes(token)),
      fc.constantFrom(200, 401, 429, 503),
      fc.subarray(["--json", "--verbose"]),
      async (token, status, output) => {
        reply = (response) =>
          response
            .writeHead(status, { "content-type": "application/json", "retry-after": token })
            .end(`{"code": ${token}, "message": "No"}`);
        const run = await runInProcess(["test", ...output], {
          environment: { REFERRAL_BASE_URL: api.url, REFERRAL_TOKEN: token },
        });
        // A number with more digits than a double keeps only the first ones.
        const kept = String(Number(token))
          .replace(/\D|e.*/g, "")
          .slice(0, 15);
        const shown = run.everything.replace(/\d+(?:\.\d+)? ms|\d{4}-\d\d-\d\d|"durationMs": \d+|GMT/g, "");
        expect(shown).not.toContain(token);
        if (token.length > 15) expect(shown).not.toContain(kept);
      },
    ),
    { numRuns: 200 },
  );
}, 60_000);

test("a token of 15 KB and an answer of 1 MB take no longer than any other", async () => {
  const token = planted.token.repeat(375);
  const piece = `%25${Buffer.from(planted.token).toString("base64")}\\u0041&amp;`;
  for (const text of ["x".repeat(1_000_000), piece.repeat(1_000_000 / piece.length), token.repeat(60)]) {
    const api = await serve((_request, response) => json(response, 401, { code: 401, message: text }));
    const { value, milliseconds } = await processorTime(() =>
      runInProcess(["test", "--timeout", "2", "--json"], {
        environment: { REFERRAL_BASE_URL: api.url, REFERRAL_TOKEN: token },
      }),
    );
    expect([4, 6]).toContain(value.exitCode);
    expect(milliseconds).toBeLessThan(1_500);
    expect(leaks(value.everything, [token])).toEqual([]);
  }
}, 30_000);
