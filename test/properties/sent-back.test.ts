import fc from "fast-check";
import { expect, test } from "vitest";
import { standIn } from "../../src/wsse/placeholders.ts";
import { answer, successText } from "../faults/answers.ts";
import { answering } from "../faults/peers.ts";
import { formsOf } from "../support/planted.ts";
import { runInProcess } from "../support/run.ts";
import { writings, writtenWith } from "./echoes.ts";
import { responsePlaces } from "./hostile-places.ts";
import { manyRuns, numRuns } from "./runs.ts";
import { everythingShown, outputs } from "./shown.ts";

const part = fc.string({ unit: fc.constantFrom(..."QXZJKVWqxzjkvw2345789"), minLength: 8, maxLength: 12 });
const foreign = fc.string({ unit: fc.constantFrom(..."äöüßéğ€😀ŁżQXZ279"), minLength: 8, maxLength: 30 });
/** What stands between two parts of a secret: a reader may take it for the end of what it reads. */
const signs = [...String.raw`\ ? # /./ /../ < , ; " @ % & :// ","a":"`.split(" "), " "];

/** A secret of each sign, as the server got it. */
const plain = signs.map((sign) => ({
  secret: [sign, "vjKQ7xZw"] as const,
  writing: [],
  before: "" as const,
}));
/** A secret, the parts of it of which none may be shown, how the server writes it, and what it writes before. */
const echo = fc.record({
  secret: fc.oneof(
    { weight: 4, arbitrary: fc.tuple(fc.constantFrom(...signs), part) },
    { weight: 1, arbitrary: fc.tuple(fc.constant(""), foreign) },
    { weight: 1, arbitrary: part.map((text) => [text.repeat(40), text] as const) },
  ),
  writing: fc.uniqueArray(fc.constantFrom(...Object.keys(writings)), { maxLength: 3 }),
  before: fc.constantFrom("", "", "%", "\\"),
});

/** The texts that everything shown may mean: as it is, and without escapes of JSON and of ours, misread UTF-8 or base64. */
function readings(shown: string): readonly string[] {
  const unescaped = shown.replace(/\\u(?:\{([0-9a-f]{1,5})\}|([0-9a-f]{4}))/gi, (_, ours, jsons) =>
    String.fromCodePoint(Number.parseInt(ours ?? jsons, 16)),
  );
  const decoded = [...shown.matchAll(/[\w+/-]{16,}/g)].map(([text]) =>
    Buffer.from(text, "base64").toString(),
  );
  return [shown, unescaped, Buffer.from(shown, "latin1").toString(), ...decoded].map((text) =>
    text.toLowerCase(),
  );
}

/** Everything that is shown of accounts with these secrets, to each of which its server or proxy sends one of the texts. */
async function shownOf(
  [, , bytesOf, accountOf]: (typeof responsePlaces)[number],
  sent: ReadonlyArray<readonly [secret: string, text: string]>,
  output: readonly string[],
  environment = {},
): Promise<string> {
  let next = 0;
  const { url } = await answering((socket) => socket.end(bytesOf(sent[next++]?.[1] ?? "")));
  const lines = sent.map(([secret]) => {
    const { token, ...rest } = accountOf(url, secret);
    const isSendable = /^[ -~]*$/.test(token);
    return isSendable ? { ...rest, token } : { ...rest, username: "a@example.com", secret };
  });
  const shown = await everythingShown(lines, output, environment);
  expect(next, shown).toBe(sent.length);
  return shown;
}

test.each(responsePlaces.map((place) => [place[0], place] as const))(
  "%s shows no part of a secret that is sent back, whatever it holds and however it is encoded",
  manyRuns,
  async (_, place) => {
    await fc.assert(
      fc.asyncProperty(
        part,
        fc.array(echo, { minLength: 8, maxLength: 8 }),
        fc.constantFrom(...outputs),
        fc.boolean(),
        async (first, echoes, output, isSet) => {
          const sent = echoes.map(({ secret, writing, before }) => {
            const whole = first + secret.join("");
            return [whole, before + writtenWith(writing, whole)] as const;
          });
          // A short secret inside a long one must not uncover the rest of it.
          const environment = isSet ? { REFERRAL_SECRET: first } : {};
          const shown = readings(await shownOf(place, sent, output, environment));
          const parts = [first, ...echoes.map(({ secret: [, second] }) => second)];
          const forms = [...parts, ...sent.flatMap(([secret, text]) => [text, ...formsOf(secret)])];
          expect(forms.filter((form) => shown.some((text) => text.includes(form.toLowerCase())))).toEqual([]);
        },
      ),
      {
        numRuns: 1 + Math.ceil(numRuns / 100),
        examples: [
          ["XqZ4Wk9J", plain, [], false],
          ["XqZ4Wk9J", plain, ["--verbose"], false],
        ],
      },
    );
  },
);

test("a harmless text is shown in all places but those of a response that is none, and parts of a target that are never shown", async () => {
  const shown = responsePlaces.map(async (place) => {
    const text = await shownOf(place, [["Zq8XvK2m/../Geheim", "harmless"]], ["--verbose"]);
    return text.includes("harmless") ? [] : place[0];
  });
  expect((await Promise.all(shown)).flat()).toEqual([
    ...["the field Location: /login?*", "the field Location: https://*@other.example/"],
    ...["a body in UTF-16", "a body that is cut off", "a proxy's first bytes"],
  ]);
});

test.each(
  [
    answer("200 OK", successText),
    answer("401 No", '{"code":401,"message":"No"}'),
    answer("401 No", "{}", ["WWW-Authenticate: Basic"]),
    answer("503 No", "{}", ["Retry-After: 7"]),
    answer("302 Found", "", ["Location: https://192.0.2.1/"]),
    answer("404 No", "{}"),
    Buffer.from("SSH-2.0\r\n"),
  ].map((bytes) => [String(bytes).split("\r\n")[0], bytes] as const),
)("a token that is a common word removes that word from no sentence of ours: %s", async (_, bytes) => {
  const { url } = await answering((socket) => socket.end(bytes));
  const shown = async (args: readonly string[], token: string): Promise<string> => {
    const { everything } = await runInProcess([...args, "--base-url", url], {
      environment: { REFERRAL_TOKEN: token },
      now: Date.parse("2026-11-21T12:00:00Z"),
    });
    return everything.replace(
      /\d+ ms|\d+ characters(?:, [^;"]* digits?(?: at place \d+)?)?|"\w+": \d+/g,
      "SIZE",
    );
  };
  for (const command of ["test --json", "test --diagnose", "config"]) {
    const expected = await shown(command.split(" "), "Zq8XvK2m-Zq8XvK2m");
    // What others wrote in it: the server, and the host of its URL.
    const foreign = /^(?:Hello|were|successfully|authenticated|planted|example|basic)$/i;
    // Of a token such as null, more is told.
    const words = [...new Set(expected.match(/[A-Za-z]{4,}/g))].filter(
      (word) => !foreign.test(word) && standIn(word) === null,
    );
    const property = fc.asyncProperty(fc.constantFrom(...words), async (word) => {
      expect(await shown(command.split(" "), word)).toBe(expected);
    });
    await fc.assert(property, { numRuns: Math.ceil(numRuns / 60) });
  }
});
