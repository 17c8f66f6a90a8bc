/** The name that the operating system, OpenSSL or Node gives an error, such as `ENOENT`; null if it has none. */
export function errorCode(error: unknown): string | null {
  // No `instanceof`: in a context of node:vm, as Jest makes them, Node's own errors are of another realm.
  const isObject = typeof error === "object" && error !== null;
  return isObject && "code" in error && typeof error.code === "string" ? error.code : null;
}

/** Why this process cannot run WebAssembly, which undici parses responses with; null for every other error. */
export function missingWebAssembly(error: unknown): "switched off" | "no memory" | null {
  if (errorCode(error) === "ERR_WEBASSEMBLY_NOT_SUPPORTED") return "switched off";
  // V8's error has no code. Its message begins with the function that found no memory.
  return error instanceof Error && error.message.startsWith("WebAssembly.") ? "no memory" : null;
}
