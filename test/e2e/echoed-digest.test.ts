import { expect, test } from "vitest";
import { runInProcess } from "../support/run.ts";
import { serve } from "../support/serve.ts";
import { wsse } from "./diagnose.ts";

/** Each request gets the next of these back. test/properties/echoed-spellings.test.ts has more. */
const spellingsOf = (digest: string): readonly string[] => [
  digest,
  encodeURIComponent(digest),
  digest.toLowerCase(),
  JSON.stringify(digest).replaceAll("/", "\\/"),
];

test("a digest that the server sends back is shown nowhere", async () => {
  const digests: string[] = [];
  const api = await serve(({ headers }, response) => {
    const sent = String(headers["x-wsse"]);
    const digest = /PasswordDigest="([^"]+)"/.exec(sent)?.[1] ?? "none";
    digests.push(digest);
    const message = `wrong: ${spellingsOf(digest)[digests.length % 4]}`;
    response
      .writeHead(401, { "content-type": "application/json", "x-received": sent, "x-echo": message })
      .end(JSON.stringify({ code: 401, message, error: sent }));
  });
  const run = await runInProcess(["test", "--wsse", "--diagnose", "--verbose", "--json"], {
    environment: { ...wsse, REFERRAL_BASE_URL: api.url },
  });
  expect(digests.length).toBeGreaterThan(10);
  for (const spelling of digests.filter((one) => one !== "none").flatMap(spellingsOf))
    expect(run.everything).not.toContain(spelling);
});
