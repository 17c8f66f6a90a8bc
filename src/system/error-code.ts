/** The name that the operating system, OpenSSL or Node gives an error, such as `ENOENT`; null if it has none. */
export function errorCode(error: unknown): string | null {
  // No `instanceof`: in a context of node:vm, as Jest makes them, Node's own errors are of another realm.
  const isObject = typeof error === "object" && error !== null;
  return isObject && "code" in error && typeof error.code === "string" ? error.code : null;
}

/** Whether this process cannot run WebAssembly, which undici parses responses with. That is no fault of the server. */
export function lacksWebAssembly(error: unknown): boolean {
  if (errorCode(error) === "ERR_WEBASSEMBLY_NOT_SUPPORTED") return true;
  // V8's error for want of memory has no code. Its message begins with the function.
  return error instanceof Error && error.message.startsWith("WebAssembly.");
}
