import { expect, test } from "vitest";
import { planted } from "../support/planted.ts";
import { runInProcess } from "../support/run.ts";
import { head, successText } from "./answers.ts";
import { host, trusted, trusting } from "./authority.ts";
import { type Act, answering, securing, sends, sendsThenEnds } from "./peers.ts";

// What a user reads of HTTP that curl takes and this program refuses.

const ok = "HTTP/1.1 200 OK";
const length = `Content-Length: ${successText.length}`;
const json = "Content-Type: application/json";

async function told(act: Act, more: readonly string[] = [], overTls = false) {
  const { url } = await (overTls ? securing(trusted, act) : answering(act));
  const given = { environment: { REFERRAL_TOKEN: planted.token, REFERRAL_BASE_URL: url } };
  const run = await runInProcess(["test", "--json", "--verbose", ...trusting(), ...more], given);
  const [{ outcome, findings, failure, received }] = JSON.parse(run.stdout).checks;
  const shown = run.stderr.split("\n").flatMap((line) => (line.startsWith("< ") ? [line.slice(2)] : []));
  return { exitCode: run.exitCode, outcome, failure, finding: findings[0], received, shown };
}

const rows: ReadonlyArray<readonly [what: string, ...lines: readonly string[]]> = [
  ["a space before a colon", ok, json, length, "Expires : 0"],
  ["two equal lengths", ok, length, json, length],
  ["a control character", ok, length, json, "X-Note: a\x02b"],
  ["a folded field", ok, length, "X-Note: a", "\tb", json],
  ["a warning of PHP", ok, "PHP Warning:  x in y on line 3", length],
];

// A part of a secret is none that can be found, so the last word is not shown.
const beginning = `${ok}\r\n${json}\r\nX-Note: ${planted.token}\r\n`;
const half = `X-Re: ${planted.token.slice(0, 20)}`;

test.each<[what: string, act: Act, exit: number, broken: readonly string[]]>([
  ["ends", sendsThenEnds(beginning + half), 7, []],
  ["hangs", sends(beginning + half), 8, []],
  ["is broken", sends(`${beginning}X : 1\r\n${half}`), 6, ["X : 1"]],
])("a head that %s: --verbose shows what arrived of it, without secrets", async (_, act, exit, broken) => {
  const { exitCode, shown } = await told(act, ["--timeout", "1"]);
  expect(exitCode).toBe(exit);
  expect(shown).toEqual([ok, json, "X-Note: [secret]", ...broken, "X-Re: "]);
});

test.each(rows)(
  "%s: what came is quoted as it came, without the body, and who can mend it",
  async (_, ...lines) => {
    const came = lines.map((line) => line.replace("\x02", "\\x02"));
    for (const overTls of [false, true]) {
      const answer = await told(sends(head(...lines) + successText), [], overTls);
      const { exitCode, finding, shown, received } = answer;
      expect([exitCode, finding.id, finding.certainty]).toEqual([6, "broken-http", "measured"]);
      expect(finding.message).toContain("curl may accept it");
      expect(finding.fix).toMatch(/^Ask the API's operator/);
      expect(received).toBe(came.join("\r\n"));
      expect(shown).toEqual(came.map((line) => line.replace("\t", "\\t")));
    }
  },
);

test("17 KB of fields are too many, and what is kept of them is shown", async () => {
  const fields = Array.from({ length: 17 }, (_, index) => `X-${index}: ${"a".repeat(1000)}`);
  const { failure, outcome, received, shown } = await told(sends(head(ok, length, ...fields) + successText));
  expect([outcome, failure, received.length]).toEqual(["unexpected", null, 300]);
  // The value of the fifth field is cut, so it is not shown.
  const shownStarts = ["HTTP/", "Conte", "X-0: ", "X-1: ", "X-2: ", "X-3: ", "X-4: "];
  expect(shown.map((line) => line.slice(0, 5))).toEqual(shownStarts);
});

test("what is no HTTP is quoted, and blames the base URL", async () => {
  const { finding, shown, received } = await told(sends("220 mail.example.com ESMTP\r\n"));
  expect([finding.id, shown, received]).toEqual(["unexpected", [], "220 mail.example.com ESMTP\r\n"]);
  expect(finding.fix).toMatch(/^Check the base URL/);
});

test.each([
  [
    "a space before a colon",
    head("HTTP/1.1 200 OK", "X-Proxy : a"),
    "broken-http",
    "the answer breaks a rule of HTTP",
  ],
  ["no HTTP", "220 mail.example.com ESMTP\r\n", "other-protocol", "does not answer in HTTP"],
])("a proxy that answers with %s", async (_, text, id, says) => {
  const proxy = await answering(sends(text));
  const args = ["--base-url", `https://${host}`, "--proxy", proxy.url];
  const { exitCode, failure, finding, shown, received } = await told(sends(""), args);
  expect(received).toBe(text.replace("\r\n\r\n", ""));
  expect([exitCode, failure.step, finding.id]).toEqual([7, "proxy", id]);
  expect(finding.message).toContain(says);
  expect(finding.fix).toContain(
    id === "broken-http" ? "Ask the operator of the proxy" : "Check host and port of the proxy",
  );
  expect(shown).toEqual(id === "broken-http" ? ["HTTP/1.1 200 OK", "X-Proxy : a"] : []);
});

test.each([
  ["two lengths", 401, ["Content-Length: SECRET", `Content-Length: ${"27".repeat(16)}`]],
  ["a length", 401, ["Content-Length: SECRET"]],
  ["a pause", 503, ["Retry-After: SECRET", "Content-Length: 2"]],
] as const)("a secret of digits in %s is not shown", async (_, status, fields) => {
  const digits = "31415926535897932384626433832795";
  for (const secret of [digits, digits.slice(0, 15), digits.slice(0, 9), `000000${digits.slice(0, 9)}`]) {
    const text = head(`HTTP/1.1 ${status} No`, ...fields).replace("SECRET", secret);
    const environment = { REFERRAL_TOKEN: secret, REFERRAL_BASE_URL: (await answering(sends(text))).url };
    for (const format of ["--verbose", "--json"]) {
      const { everything } = await runInProcess(["test", "--timeout", "1", format], { environment });
      for (let at = 0; at + 7 <= secret.length; at += 1)
        expect(everything).not.toContain(secret.slice(at, at + 7));
    }
  }
});
