import { expect, test } from "vitest";
import { planted } from "../support/planted.ts";
import { runInProcess } from "../support/run.ts";
import { serve } from "../support/serve.ts";

const echoes: Readonly<Record<string, (digest: string) => string>> = {
  plain: (digest) => digest,
  "in a URL": encodeURIComponent,
  "in small letters": (digest) => digest.toLowerCase(),
  "in JSON": (digest) => JSON.stringify(digest).replaceAll("/", "\\/"),
};

test.each(Object.entries(echoes))(
  "a digest that the server sends back is shown nowhere: %s",
  async (_, echo) => {
    const digests: string[] = [];
    const api = await serve(({ headers }, response) => {
      const sent = String(headers["x-wsse"]);
      const digest = /PasswordDigest="([^"]+)"/.exec(sent)?.[1] ?? "none";
      digests.push(digest);
      response
        .writeHead(401, { "content-type": "application/json", "x-received": sent, "x-echo": echo(digest) })
        .end(JSON.stringify({ code: 401, message: `wrong: ${echo(digest)}`, error: sent }));
    });
    const run = await runInProcess(["test", "--wsse", "--diagnose", "--verbose", "--json"], {
      environment: {
        REFERRAL_BASE_URL: api.url,
        REFERRAL_USERNAME: planted.username,
        REFERRAL_SECRET: planted.secret,
      },
    });
    expect(digests.length).toBeGreaterThan(10);
    for (const digest of digests.filter((one) => one !== "none")) {
      expect(run.everything).not.toContain(digest);
      expect(run.everything).not.toContain(echo(digest));
    }
  },
);
