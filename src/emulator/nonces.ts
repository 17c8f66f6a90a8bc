/** The nonces that were accepted and could be replayed. Times are in seconds since the epoch. */
export interface Nonces {
  has(nonceKey: string): boolean;
  /** Remembers a nonce as used. Returns false if there is no room; the caller must then refuse the request. */
  remember(nonceKey: string, nowSeconds: number): boolean;
  clear(): void;
}

/** Makes a memory of at most `maximum` nonces, each kept for as long as its Created can be accepted. */
export function nonceMemory(windowSeconds: number, maximum: number): Nonces {
  const acceptedAt = new Map<string, number>();

  // A Created that is one window ahead stays acceptable for two windows.
  function forgetExpired(nowSeconds: number): void {
    for (const [key, seconds] of acceptedAt) {
      if (nowSeconds - seconds <= 2 * windowSeconds) return;
      acceptedAt.delete(key);
    }
  }

  return {
    has: (nonceKey) => acceptedAt.has(nonceKey),
    remember(nonceKey, nowSeconds) {
      forgetExpired(nowSeconds);
      if (acceptedAt.size >= maximum) return false;
      acceptedAt.set(nonceKey, nowSeconds);
      return true;
    },
    clear: () => acceptedAt.clear(),
  };
}
