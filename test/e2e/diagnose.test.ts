import { chmodSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { requestLimit } from "../../src/check/request-limit.ts";
import { emulate } from "../support/emulate.ts";
import { folderWith } from "../support/folder.ts";
import { planted } from "../support/planted.ts";
import { runInProcess } from "../support/run.ts";
import { json, serve, success } from "../support/serve.ts";
import { diagnose, wsse } from "./diagnose.ts";
import { accepts } from "./verifier.ts";

describe.each<[string, (response: ServerResponse) => void]>([
  [
    "a web page",
    (response) =>
      void response
        .writeHead(403, { "content-type": "text/html" })
        .end("<html><title>WSSE Login failed</title></html>"),
  ],
  ["no length", (response) => void response.socket?.end("HTTP/1.1 401 Unauthorized\r\n\r\n")],
])("after a refusal with %s, which is no evidence that the API made it,", (_, answer) => {
  test("an acceptance proves itself, and the outcome stays", async () => {
    const api = await serve((request, response) => {
      if (accepts(request, { digest: "base64-nonce" })) json(response, 200, success);
      else answer(response);
    });
    const { findings } = await diagnose(api.url, {}, {}, 6);
    expect(findings[0]).toMatchObject({ id: "digest-convention", certainty: "proved" });
  });

  test("if nothing is accepted, nothing shows whether the API was reached", async () => {
    const { findings } = await diagnose((await serve((_, response) => answer(response))).url, {}, {}, 6);
    expect(findings).toContainEqual(
      expect.objectContaining({
        id: "ruled-out",
        message: expect.stringMatching(/^refused as well: .*; nothing shows whether the API was reached$/),
      }),
    );
  });
});

describe("the spare token", () => {
  test.each([
    ["nothing is accepted", "wrong", "ruled-out"],
    ["something is proved", planted.secret, "digest-convention"],
  ])("that cannot be read is a remark, and changes no verdict, where %s", async (_, secret, id) => {
    const api = await emulate({ digest: "hex-digest" });
    const environment = { REFERRAL_SECRET: secret, REFERRAL_TOKEN_FILE: "/nonexistent" };
    const { findings } = await diagnose(api.url, environment);
    expect(findings.map((finding) => finding.id)).toContain(id);
    expect(findings).toContainEqual(
      expect.objectContaining({ id: "spare-token", message: expect.stringContaining("REFERRAL_TOKEN_FILE") }),
    );
  });

  test("is masked in what comes back, though it was read only then", async () => {
    let count = 0;
    const api = await serve((_, response) => {
      count += 1;
      if (count === 4) json(response, 429, { message: `No: ${planted.token}` });
      else json(response, 401, {});
    });
    const file = join(folderWith({ token: planted.token }), "token");
    chmodSync(file, 0o600);
    const { run, findings } = await diagnose(api.url, { REFERRAL_TOKEN_FILE: file });
    expect(findings.find(({ id }) => id === "diagnosis-stopped")?.message).toContain("No: [secret]");
    expect(run.stderr).not.toContain(planted.token);
  });

  test("is not read if WSSE is accepted", async () => {
    const api = await emulate();
    const environment = { ...wsse, REFERRAL_BASE_URL: api.url, REFERRAL_TOKEN_FILE: "/nonexistent" };
    const run = await runInProcess(["test", "--wsse", "--diagnose"], { environment });
    expect(run.exitCode).toBe(0);
  });
});

describe("diagnosis", () => {
  test("proves nothing if the secret is simply wrong, and lists the causes that are ruled out", async () => {
    const api = await emulate();

    const { run, findings, proved } = await diagnose(api.url, {
      REFERRAL_SECRET: "simply-wrong",
      REFERRAL_TOKEN: planted.token,
    });

    expect(proved).toEqual([]);
    expect(findings).toContainEqual(expect.objectContaining({ id: "ruled-out", certainty: "measured" }));
    // Without credentials, 3 s earlier, the token, the field, and 11 conventions.
    expect(run.stderr.match(/^wsse: diagnosis, request/gm)).toHaveLength(15);
    expect(api.log).toHaveLength(16);
  });

  // Request 18 tries the last convention, 19 and 20 are the control, and the rest leaves out one change after the other.
  test.each([
    [
      [18, 22],
      /`hash: sha512` and Created 6 minutes 43 seconds earlier; the first request was refused twice more \(24 further requests\)$/,
    ],
    [[18, 22, 25], /; 24 requests do not show whether all of this is needed$/],
  ])(
    "makes as many requests as are promised at most, each announced and with a nonce of its own: %j",
    async (accepted, message) => {
      let count = 0;
      const now = Date.parse("2026-11-21T12:00:00.500Z");
      const api = await serve((_, response) => {
        count += 1;
        const date = { date: new Date(now - 400_000).toUTCString() };
        if (accepted.includes(count)) json(response, 200, success, date);
        else json(response, 401, { code: 401 }, date);
      });

      const environment = { REFERRAL_TOKEN: planted.token, REFERRAL_SECRET: `"${planted.secret}"` };
      const { run, proved } = await diagnose(api.url, environment, { now });

      expect(proved).toMatchObject([{ id: "digest-convention", message: expect.stringMatching(message) }]);
      const headers = api.requests.flatMap((request) => request.headers["x-wsse"] ?? []);
      expect(api.requests).toHaveLength(1 + requestLimit);
      expect(new Set(headers.map((header) => /Nonce="([^"]*)"/.exec(String(header))?.[1])).size).toBe(
        requestLimit,
      );
      const announced = [...run.stderr.matchAll(/^wsse: diagnosis, request \d+ of at most (\d+): \S/gm)];
      expect(announced.map(([, most]) => Number(most))).toEqual(Array(requestLimit).fill(requestLimit));
    },
  );

  test("shows every request with --verbose", async () => {
    const api = await emulate();

    const { stderr } = await runInProcess(["test", "--token", "--diagnose", "--verbose"], {
      environment: { REFERRAL_TOKEN: "wrong", REFERRAL_BASE_URL: api.url },
    });

    expect(stderr.match(/^> GET /gm)).toHaveLength(2);
  });

  test("ends its report with the flag to use, in fewer than 12 lines", async () => {
    const api = await emulate({ digest: "base64-nonce", clockOffsetSeconds: -400 });

    const run = await runInProcess(["test", "--wsse", "--diagnose"], {
      environment: { ...wsse, REFERRAL_BASE_URL: api.url },
    });

    const lines = run.stdout.trimEnd().split("\n");
    expect(run.exitCode).toBe(4);
    expect(lines.length).toBeLessThan(12);
    expect(lines.findLast((line) => line.startsWith("  try"))).toContain("Use --digest base64-nonce");
  });
});
