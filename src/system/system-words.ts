// In a file of its own: the library has error-code.ts, and node:util would open standard output when the library is loaded.
/** The system's words for one of its error codes, and the code; the code alone if it is none of the system's. */
export async function inWords(code: string): Promise<string> {
  const { getSystemErrorMap } = await import("node:util");
  const [, words] = [...getSystemErrorMap().values()].find(([name]) => name === code) ?? [];
  return words === undefined ? code : `${words} (${code})`;
}
