import { success } from "../support/serve.ts";

/** The body of the specified success. */
export const successText = JSON.stringify(success);

/** An HTTP/1.1 response with its length. The header lines are sent unchanged; give them without line ends. */
export function answer(
  status: string,
  body: string | Uint8Array = "",
  lines: readonly string[] = ["Content-Type: application/json"],
): Buffer {
  const bytes = typeof body === "string" ? Buffer.from(body) : body;
  const head = [`HTTP/1.1 ${status}`, ...lines, `Content-Length: ${bytes.length}`, "", ""].join("\r\n");
  return Buffer.concat([Buffer.from(head, "latin1"), bytes]);
}

/** Header lines with their ends, the empty line after them included. */
export function head(...lines: readonly string[]): string {
  return `${lines.join("\r\n")}\r\n\r\n`;
}
