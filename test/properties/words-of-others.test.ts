import fc from "fast-check";
import { expect, test } from "vitest";
import type { SentCredential } from "../../src/check/credential.ts";
import type { Finding } from "../../src/check/result.ts";
import { jsonReport } from "../../src/report/json.ts";
import { junitReport } from "../../src/report/junit.ts";
import { paintOf } from "../../src/report/paint.ts";
import { type AccountResult, keptResult } from "../../src/report/report.ts";
import { textReport } from "../../src/report/text.ts";
import { explained, hex40, token, unredacted, wsse } from "../check/causes/found.ts";
import { type AnswerParts, judged, replied } from "../support/exchanges.ts";
import { ended, reported } from "../support/outcomes.ts";
import { foreignText } from "./arbitraries.ts";

const json = (status: number) => (words: string) => ({ status, body: JSON.stringify({ message: words }) });
const escaped = (words: string): string => words.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
const page = (status: number) => (words: string) => ({
  status,
  body: `<!doctype html><title>${escaped(words)}</title><p>${escaped(words)}`,
  headers: { "content-type": "text/html" },
});

/** Responses of which only the words differ. */
const templates: Readonly<Record<string, (words: string) => AnswerParts>> = {
  ...Object.fromEntries([400, 401, 403, 404, 418, 422, 500, 503].map((one) => [`${one} in JSON`, json(one)])),
  "401 in text": (words) => ({ status: 401, body: `- ${words}`, headers: { "content-type": "text/plain" } }),
  ...Object.fromEntries([200, 401, 403].map((one) => [`a page with ${one}`, page(one)])),
};

/** Sentences that a reader of words would fall for. */
const loaded = [
  ...["Invalid token. If you have recently changed your plan, please sign in again.", "JWT expired"],
  "Token expired",
  ...["Your account is suspended", "Account disabled: contact billing", "IP unauthorized"],
  "Blocked by administrator",
  "Your IP 192.0.2.1 is not on the allow list",
  "Access denied by the web application firewall, Ray ID: 1",
  ...["Please log in to the Wi-Fi network", "Signature mismatch: timestamp outside of the window"],
  "nonce already used",
  ...["Database connection refused", "502 Bad Gateway nginx", "Maintenance until 06:00", "quota exceeded"],
  "unlocked",
  ...["The plain HTTP request was sent to HTTPS port", "No required SSL certificate was sent", "Not Found"],
  "OK",
  ...["Jeton expiré, veuillez vous reconnecter", "Cuenta suspendida por falta de pago", "Konto gesperrt"],
  ...["Hesabınız kilitlendi", "アカウントがロックされました", "账号已被锁定", "Учётная запись заблокирована"],
  ...["Zugriff verweigert: falsches Passwort", "the API refused this credential", "Use --diagnose"],
];
const withholding = [
  "Account locked",
  "ACCOUNT_LOCKED",
  "Too many failed logins",
  "3 attempts left",
  "Rate limit exceeded",
];

const credentials: readonly SentCredential[] = [token(hex40), wsse()];
const paint = await paintOf(false);

/** The result of a check with this response, its quote replaced: whatever else its words changed would be seen. */
function resultOf(parts: AnswerParts, credential: SentCredential): AccountResult {
  const exchange = replied(parts);
  const outcome = judged(exchange, 10, unredacted);
  const more = { ...explained({ exchange, credential }), method: credential.method, profile: "north" };
  if (!("response" in outcome) || outcome.response === null) throw new Error("a response without an outcome");
  expect(outcome.response.message, JSON.stringify(parts)).not.toBeNull();
  const response = { ...outcome.response, message: "the quote" };
  return reported({ ...more, outcome: { ...outcome, response } as AccountResult["outcome"] });
}

/** All that is said of it, alone and among several. */
function documentsOf(result: AccountResult): readonly string[] {
  const text = (several: boolean) => textReport(paint, { several, failedOnly: false, annotate: true });
  const whole = [text(false), text(true), jsonReport()].map(
    (report) => report.add(result) + report.end(ended),
  );
  return [...whole, [...junitReport([keptResult(result)], ended, "x.xml")].join("")];
}

const cases = Object.entries(templates).flatMap(([name, template]) =>
  credentials.map((credential) => [name, credential.method, template, credential] as const),
);

test.each(cases)("other words of %s change nothing but the quote: %s", (_, __, template, credential) => {
  const usual = documentsOf(resultOf(template("No"), credential));
  for (const words of loaded)
    expect(documentsOf(resultOf(template(words), credential)), words).toEqual(usual);
  const isWithheld = /lock|many|attempts|limit/i;
  const others = foreignText
    .map((text) => `x${text}`)
    .filter((text) => !isWithheld.test(text) && !text.includes("\0"));
  fc.assert(
    fc.property(others, (words) => {
      expect(documentsOf(resultOf(template(Buffer.from(words).toString()), credential))).toEqual(usual);
    }),
    { numRuns: 20 },
  );
});

test.each(cases)(
  "words that withhold requests change %s in one possible finding and the advice about --diagnose: %s",
  (_, __, template, credential) => {
    const usual = resultOf(template("No"), credential);
    for (const words of withholding) {
      const result = resultOf(template(words), credential);
      const isLock = ({ id, certainty }: Finding): boolean =>
        id === "account-locked" && certainty === "possible";
      const { status } = template(words);
      const isRead = status !== undefined && status >= 400 && status <= 500;
      expect(result.findings.filter(isLock), words).toHaveLength(isRead ? 1 : 0);
      expect(result.diagnosisRequests).toBe(isRead ? null : usual.diagnosisRequests);
      const findings = result.findings.filter((one) => !isLock(one));
      const { diagnosisRequests } = usual;
      expect(documentsOf({ ...result, findings, diagnosisRequests })).toEqual(documentsOf(usual));
    }
  },
);
