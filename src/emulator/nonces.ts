/** The nonces that were accepted and could be replayed. Times are in seconds since the epoch. */
export interface Nonces {
  has(nonce: string): boolean;
  /** Keeps the nonce as used; false where there is no room, in which case the request must not be accepted. */
  remember(nonce: string, nowSeconds: number): boolean;
}

/** A memory of at most `maximum` nonces, each kept for at least as long as its Created can pass. */
export function nonceMemory(windowSeconds: number, maximum: number): Nonces {
  const seenAt = new Map<string, number>();

  // A Created that was one window ahead when it came is accepted until one window after: twice the window in all.
  function forgetExpired(nowSeconds: number): void {
    for (const [nonce, seconds] of seenAt) {
      if (nowSeconds - seconds <= 2 * windowSeconds) return;
      seenAt.delete(nonce);
    }
  }

  return {
    has: (nonce) => seenAt.has(nonce),
    remember(nonce, nowSeconds) {
      forgetExpired(nowSeconds);
      if (seenAt.size >= maximum) return false;
      seenAt.set(nonce, nowSeconds);
      return true;
    },
  };
}
