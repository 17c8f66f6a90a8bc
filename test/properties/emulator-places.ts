import { type RequestOptions, request } from "node:http";
import { emulate } from "../support/emulate.ts";
import { planted } from "../support/planted.ts";
import type { Place } from "./hostile-runs.ts";

// The header of a request may have 8 KiB, the body of one that steers 1 MiB, with what is around the text.
const [requestField, requestBody] = [6 * 1024, 1_000_000];

const emulated = (
  title: string,
  requestOf: (text: string) => RequestOptions & { body?: string },
  longest = requestField,
): Place => [
  `a request to the emulator: ${title}`,
  longest,
  async () => {
    const { url, log } = await emulate({ control: true });
    const status = ({ body, ...options }: RequestOptions & { body?: string }): Promise<number | undefined> =>
      new Promise((resolve) => {
        const sent = request(url, { path: "/test-authentication", ...options }, (answered) =>
          answered.resume().once("end", () => resolve(answered.statusCode)),
        );
        sent.once("error", () => resolve(undefined)).end(body);
      });
    return async (text) => {
      // Node's client refuses to send other characters.
      await status(requestOf(text.replace(/[^!-~]/g, "~")));
      const accepted = await status({ headers: { "x-auth-token": planted.token } });
      return { exitCode: 0, shown: log.join("\n"), othersAccepted: accepted === 200 };
    };
  },
];

/** A list of answers that a client plans. */
const planned = (title: string, listOf: (text: string) => unknown): Place =>
  emulated(
    `an answer to plan: ${title}`,
    (text) => ({ method: "PUT", path: "/__emulator/answers", body: JSON.stringify(listOf(text)) }),
    requestBody,
  );

/** Where text of others enters the emulator. */
export const emulatorPlaces: readonly Place[] = [
  emulated("the path", (text) => ({ path: `/${text}` })),
  emulated("X-WSSE", (text) => ({ headers: { "x-wsse": text } })),
  emulated("the UsernameToken", (text) => ({ headers: { "x-wsse": `UsernameToken Username="${text}"` } })),
  emulated("Authorization", (text) => ({ headers: { authorization: `WSSE ${text}` } })),
  emulated("Host", (text) => ({ headers: { host: text } })),
  planned("the whole list", (text) => text),
  planned("a key", (text) => [{ [text]: 1 }]),
  planned("the name of a field", (text) => [{ headers: { [text]: "1" } }]),
];
