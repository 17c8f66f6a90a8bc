import type { IncomingMessage } from "node:http";
import type { RequestHead } from "./gate.ts";
import type { Presented } from "./judge.ts";

// RFC 9112, section 3.2.2: a server must accept the absolute form, whose host counts instead of the header's.
const absoluteForm = /^http:\/\/([^/?#]*)([^?#]*)/i;

/** What the decision needs of a request's first line and its `Host` and `Origin`, every value of a repeated header included. */
export function headOf({ method = "", url = "", headersDistinct, socket }: IncomingMessage): RequestHead {
  const [, authority, absolutePath] = absoluteForm.exec(url) ?? [];
  const hosts = headersDistinct.host ?? [];
  return {
    method,
    port: socket.localPort ?? 0,
    path: absolutePath ?? url.replace(/[?#].*$/s, ""),
    hosts: authority === undefined || hosts.length !== 1 ? hosts : [authority],
    origins: headersDistinct.origin ?? [],
  };
}

/** The credentials of a request. */
export function presentedOf({ headersDistinct }: IncomingMessage): Presented {
  return {
    wsse: headersDistinct["x-wsse"] ?? [],
    token: headersDistinct["x-auth-token"] ?? [],
    authorization: headersDistinct.authorization !== undefined,
  };
}

/** Reads a body away, and says how that ended: a body is no part of the interface, so only its end matters. */
export function discardBody(
  request: IncomingMessage,
  maximumBytes: number,
): Promise<"ended" | "too-large" | "gone"> {
  return new Promise((resolve) => {
    let length = 0;
    request.on("data", (chunk: Uint8Array) => {
      length += chunk.length;
      if (length <= maximumBytes) return;
      request.pause();
      resolve("too-large");
    });
    request.once("end", () => resolve("ended"));
    request.once("close", () => resolve("gone"));
  });
}
