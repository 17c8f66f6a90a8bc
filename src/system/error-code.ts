/** The name that the operating system, OpenSSL or Node gives an error, such as `ENOENT`; null if it has none. */
export function errorCode(error: unknown): string | null {
  // No `instanceof`: in a context of node:vm, as Jest makes them, Node's own errors are of another realm.
  const isObject = typeof error === "object" && error !== null;
  return isObject && "code" in error && typeof error.code === "string" ? error.code : null;
}
