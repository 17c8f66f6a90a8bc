import type { KnownAccounts } from "./accounts.ts";
import type { ReceivedRequest } from "./log.ts";
import type { AllOptions } from "./options.ts";
import type { PlannedAnswer } from "./planned-answers.ts";

/** How many seconds Created may be before or after the server's clock. The specification does not show it (section 5.1, rule 4). */
export const windowSeconds = 300;

/** Makes a memory of at most `maximum` nonces, each kept for as long as its Created can be accepted. */
export function nonceMemory(window: number, maximum: number) {
  const sentAt = new Map<string, number>();
  return {
    isUsed: (nonce: string): boolean => sentAt.has(nonce),
    /** Remembers a nonce as used at this time, in seconds since the epoch; forgets the oldest if there are too many. */
    remember(nonce: string, nowSeconds: number): void {
      // Behind all others, which were sent before.
      sentAt.delete(nonce);
      sentAt.set(nonce, nowSeconds);
      for (const [oldest, seconds] of sentAt) {
        // A Created that is one window ahead stays acceptable for two windows.
        if (sentAt.size <= maximum && nowSeconds - seconds <= 2 * window) break;
        sentAt.delete(oldest);
      }
    },
    clear: (): void => sentAt.clear(),
  };
}

/** What the server accepts, remembers and answers. */
export interface Service extends Pick<AllOptions, "strict" | "explain" | "allowHosts" | "control"> {
  readonly accounts: KnownAccounts;
  /** Those of accepted requests. One with a forced status uses up no nonce. */
  readonly nonces: ReturnType<typeof nonceMemory>;
  /** The last requests, the oldest first. */
  readonly requests: ReceivedRequest[];
  /** What the next requests are answered with. */
  answers: PlannedAnswer[];
  /** What all others are answered with; null for what they deserve. */
  answer: AllOptions["answer"];
}
