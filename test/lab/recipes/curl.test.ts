// The table "Why not curl?" of the README: each row is tried with the real curl and with the tool, side by side.

import { join } from "node:path";
import { expect, test } from "vitest";
import type { PlannedAnswer } from "../../../src/library/emulator.ts";
import { authorityCertificate, signed, success } from "../../faults/authority.ts";
import { securing } from "../../faults/peers.ts";
import { emulate } from "../../support/emulate.ts";
import { tableBelow } from "../../support/pages.ts";
import { planted } from "../../support/planted.ts";
import { bash, type Machine, machineWith } from "./machine.ts";

const page = "<html><head><title>Sign in to Example</title></head><body><form>user</form></body></html>";

/** What a server answers, by the row of the table. In the others, its certificate has expired or nothing listens. */
const planned: Readonly<Record<string, PlannedAnswer>> = {
  "a wrong token": { status: 401 },
  "this clock is wrong (WSSE)": {},
  "the account is locked": { status: 423, body: { code: 423, message: "Account is locked" } },
  "a login page answers": { status: 200, body: page, headers: { "Content-Type": "text/html" } },
  "the server redirects to it": { status: 302, body: "", headers: { Location: "/login" } },
  "too many requests": {
    ...{ status: 429, body: { code: 429, message: "Too many requests" } },
    headers: { "Retry-After": "30" },
  },
};

const rows = tableBelow("Why not curl?", "README.md");

/** What the row says of each program: the texts in backticks, and the code. */
function claimOf(row: readonly string[]) {
  const texts = (cell = ""): readonly string[] =>
    [...cell.matchAll(/`([^`]+)`/g)].map(([, text = ""]) => text);
  const [what = "", curl, curlCode, tool, toolCode] = row;
  return {
    what,
    curl: texts(curl),
    curlCode: Number(curlCode),
    tool: texts(tool),
    toolCode: Number(toolCode),
  };
}

async function bothAt(what: string, fail = "") {
  const machine: Machine = machineWith({ "ca.pem": authorityCertificate });
  const answer = planned[what];
  const isTls = what === "the certificate expired";
  const expired = () => securing(signed({ validTo: new Date(Date.now() - 86_400_000) }), success);
  const clockOffsetSeconds = what.includes("clock") ? -400 : 0;
  const answers = answer ? [{ ...answer, times: 2 }] : [];
  const { url } = await (isTls ? expired() : emulate({ clockOffsetSeconds, answers }));
  const given = {
    REFERRAL_BASE_URL: isTls || answer ? url : "http://127.0.0.1:9",
    ...(isTls && { REFERRAL_CA_CERT: join(machine.folder, "ca.pem") }),
    ...(what.includes("WSSE")
      ? { REFERRAL_USERNAME: planted.username, REFERRAL_SECRET: planted.secret }
      : { REFERRAL_TOKEN: planted.token }),
  };
  const method = what.includes("WSSE") ? "--wsse" : "--token";
  const header = `-H "$(referral-auth header ${method})"`;
  const script = `curl -sS ${fail} ${isTls ? "--cacert ca.pem" : ""} ${header} "$REFERRAL_BASE_URL/test-authentication"`;
  return { curl: await bash(machine, script, given), tool: await bash(machine, "referral-auth test", given) };
}

test("the README compares eight situations, and each is made here", () => {
  expect(rows).toHaveLength(8);
  const made = [...Object.keys(planned), "the certificate expired", "nothing listens"];
  expect(rows.map((row) => claimOf(row).what)).toEqual(made);
});

test.each(rows.map(claimOf))("curl and the tool say of it what the README says: $what", async (claim) => {
  const { curl, tool } = await bothAt(claim.what);

  expect([curl.exitCode, tool.exitCode], curl.everything + tool.everything).toEqual([
    claim.curlCode,
    claim.toolCode,
  ]);
  for (const text of claim.curl) expect(curl.everything).toContain(text);
  if (claim.curl.length === 0) expect(curl.everything).toBe("");
  for (const text of claim.tool) {
    expect(tool.stdout).toContain(text);
    expect(curl.everything).not.toContain(text);
  }
});

test("with --fail, curl ends with 22 for a refusal, a lock and a limit alike, without their words", async () => {
  for (const row of [rows[0], rows[1], rows[2], rows[5]]) {
    const { what, curl: words } = claimOf(row ?? []);
    const { curl } = await bothAt(what, "--fail");
    expect(curl.exitCode, what).toBe(22);
    for (const text of words) expect(curl.everything).not.toContain(text);
  }
});
