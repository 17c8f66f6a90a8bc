/** The name that the operating system, OpenSSL or Node gives an error, such as `ENOENT`; null if it has none. */
export function errorCode(error: unknown): string | null {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : null;
}
