import { createServer } from "node:http";
import { type CheckResult, createChecker } from "referral-auth";

const checker = createChecker({ baseUrl: "https://api.example.com/v1", timeoutSeconds: 3 });
// Each refusal may count as a failed login, and an unexpected response may be a refusal. Others count for 30 seconds.
const secondsOf: { [kind: string]: number } = { rejected: 600, unexpected: 120 };
let last: Promise<CheckResult> | undefined;

async function check(): Promise<CheckResult> {
  const result = await checker.check({ method: "token", token: process.env.TOKEN ?? "" });
  const { outcome } = result;
  const pause = (outcome.kind === "unavailable" && outcome.response?.retryAfterSeconds) || 0;
  const seconds = secondsOf[outcome.kind] ?? Math.max(30, pause);
  setTimeout(() => {
    last = undefined;
  }, 1000 * seconds).unref();
  return result;
}

// Without a token, the service does not start.
last = check();
await last;

createServer(async (_, response) => {
  last ??= check();
  const { outcome, headline } = await last;
  response.writeHead(outcome.kind === "accepted" ? 200 : 503).end(`${outcome.kind}: ${headline}\n`);
}).listen(Number(process.env.PORT ?? 8080));
