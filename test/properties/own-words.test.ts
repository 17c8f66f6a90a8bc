import fc from "fast-check";
import { expect, test } from "vitest";
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
  text.replace(/\d+ ms|\d+ characters|"(?:durationMs|skewSeconds|uncertaintySeconds)": -?\d+/g, "SIZE");

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
