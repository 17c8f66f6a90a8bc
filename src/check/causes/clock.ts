import { fix } from "../../settings/fix.ts";
import { maxCorrectionSeconds } from "../clock.ts";
import { durationInWords } from "../duration.ts";
import { type Evidence, mayBeRefused, measured, type Rule } from "./evidence.ts";

// Services that check Created usually allow minutes, so a smaller difference explains no refusal.
const notableSeconds = 30;
// Time zones reach from UTC-12 to UTC+14.
const widestHours = 26;

// A wrong clock or time zone of this machine.
const clock: Rule = ({ clock, outcome, credential }) => {
  if (clock === null || Math.abs(clock.skewSeconds) < notableSeconds + clock.uncertaintySeconds) return null;
  const ahead = clock.skewSeconds > 0;
  const seconds = Math.abs(clock.skewSeconds);
  const hours = Math.round(seconds / 3600);
  const zone = hours >= 1 && hours <= widestHours && Math.abs(seconds - hours * 3600) <= 60;
  const suggestion = zone
    ? ": perhaps a wrong time zone"
    : seconds > maxCorrectionSeconds
      ? ", too much for a diagnosis to try: it corrects at most 48 hours"
      : "";
  const advice = zone
    ? fix`Check this machine's time zone, and set its clock by NTP`
    : fix`Set this machine's clock by NTP`;
  return measured(
    ahead ? "clock-ahead" : "clock-behind",
    `this clock is ${durationInWords(seconds)} ${ahead ? "ahead of" : "behind"} the server${suggestion}`,
    outcome.kind === "rejected" && credential.method === "wsse" ? fix`${advice}, then try again` : advice,
  );
};

/** A wrong clock can explain a refusal of WSSE, whose header holds the time. */
const explains = (evidence: Evidence): boolean =>
  evidence.credential.method === "wsse" && mayBeRefused(evidence);

/** A clock difference that may be the cause. */
export const clockRules: readonly Rule[] = [(evidence) => (explains(evidence) ? clock(evidence) : null)];

/** A clock difference that explains nothing here. */
export const clockRemarks: readonly Rule[] = [(evidence) => (explains(evidence) ? null : clock(evidence))];
