/** The nonces that were accepted and could be replayed. */
export type Nonces = ReturnType<typeof nonceMemory>;

/** Makes a memory of at most `maximum` nonces, each kept for as long as its Created can be accepted. */
export function nonceMemory(windowSeconds: number, maximum: number) {
  const acceptedAt = new Map<string, number>();
  return {
    isUsed: (nonceKey: string): boolean => acceptedAt.has(nonceKey),
    /** Remembers a nonce as used at this time, in seconds since the epoch. False if the memory is full: refuse the request. */
    remember(nonceKey: string, nowSeconds: number): boolean {
      for (const [key, seconds] of acceptedAt) {
        // A Created that is one window ahead stays acceptable for two windows.
        if (nowSeconds - seconds <= 2 * windowSeconds) break;
        acceptedAt.delete(key);
      }
      if (acceptedAt.size >= maximum) return false;
      acceptedAt.set(nonceKey, nowSeconds);
      return true;
    },
    clear: (): void => acceptedAt.clear(),
  };
}
