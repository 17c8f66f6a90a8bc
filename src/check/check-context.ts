import { Channels } from "../http/channel.ts";
import type { Freshness } from "./credential.ts";

/** What requests need from outside. */
export interface CheckContext extends Freshness {
  /** Resolves after so many milliseconds; rejects with the reason of `interrupted` when that comes first. */
  wait(milliseconds: number): Promise<void>;
  readonly interrupted: AbortSignal;
  /** Where connections are kept for further requests; absent, every request has one of its own. */
  readonly channels?: Channels;
}

/** The context, for requests that share connections until `close` is called. */
export function sharingConnections(context: CheckContext): CheckContext & { close(): void } {
  const channels = new Channels();
  return {
    now: context.now,
    randomBytes: context.randomBytes,
    wait: context.wait,
    interrupted: context.interrupted,
    channels,
    close: () => channels.close(),
  };
}
