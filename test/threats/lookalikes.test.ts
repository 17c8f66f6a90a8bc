import { expect, test } from "vitest";
import { planted } from "../support/planted.ts";
import { runInProcess } from "../support/run.ts";

test.each(["127.0.0.1.evil.invalid", "127.evil.invalid", "127.0.0.1.nip.invalid", "localhost.evil.invalid"])(
  "%s is no loopback address, however it begins",
  async (host) => {
    const result = await runInProcess(["test"], {
      environment: { REFERRAL_TOKEN: planted.token, REFERRAL_BASE_URL: `http://${host}:1` },
    });
    expect(result).toMatchObject({ exitCode: 3, stdout: "" });
    expect(result.stderr).toContain("--insecure-http");
  },
);
