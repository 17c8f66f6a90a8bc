import type { Socket } from "node:net";
import { Client } from "undici";
import { ConnectionFailed, codeOf, hostAndPort, openTcp, openTls, type Progress } from "./connect.ts";
import type { Exchange, HeaderField, Phase, TimelineEntry } from "./exchange.ts";
import { openTunnel } from "./tunnel.ts";

/** One GET request. `headers` are sent as they stand. */
export interface HttpRequest {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly proxy: URL | null;
  /** PEM certificates to trust besides the usual roots. */
  readonly extraCertificates: readonly string[];
  /** From the first step to the last byte, in milliseconds. */
  readonly deadlineMs: number;
  /** The clock that the exchange is timed by, in milliseconds since the epoch. */
  readonly now: () => number;
  /** Ends the exchange at once; `send` then rejects with its reason. */
  readonly interrupted: AbortSignal;
}

/** More than this of a body is not read: the specified one has two fields (section 2). */
export const maxBodyBytes = 1024 * 1024;
const maxHeaderBytes = 64 * 1024;

type Ending = Exchange extends infer Kind ? (Kind extends Exchange ? Omit<Kind, "trace"> : never) : never;

// Names that undici gives to an answer that breaks HTTP; an ended connection is none of them.
function endingOf(error: unknown, received: boolean): Ending {
  if (error instanceof ConnectionFailed) return { kind: "failed", failure: error.failure };
  const code = codeOf(error);
  const message = error instanceof Error ? error.message : "";
  if (code.startsWith("ERR_SSL_") || code.startsWith("ERR_TLS_")) {
    return { kind: "failed", failure: { kind: "tls", code, certificate: null } };
  }
  const malformed =
    (code.startsWith("HPE_") && code !== "HPE_INVALID_EOF_STATE") ||
    code === "UND_ERR_HEADERS_OVERFLOW" ||
    code === "UND_ERR_RES_CONTENT_LENGTH_MISMATCH" ||
    code === "ERR_ASSERTION" ||
    message === "bad upgrade" ||
    message === "bad response";
  if (malformed)
    return { kind: "malformed", problem: code === "UNKNOWN" || code === "UND_ERR_SOCKET" ? message : code };
  return { kind: "failed", failure: { kind: "closed", code, received: received ? "part" : "nothing" } };
}

function headerFields(
  raw: unknown,
  parsed: Readonly<Record<string, string | string[] | undefined>>,
): readonly HeaderField[] {
  if (Array.isArray(raw)) {
    const texts = raw.map((part) => (Buffer.isBuffer(part) ? part.toString("latin1") : String(part)));
    return texts.flatMap((text, index) =>
      index % 2 === 0 ? [{ name: text.toLowerCase(), value: texts[index + 1] ?? "" }] : [],
    );
  }
  return Object.entries(parsed).flatMap(([name, value]) =>
    [value ?? []].flat().map((one) => ({ name: name.toLowerCase(), value: one })),
  );
}

/**
 * Sends one GET over a connection of its own and resolves with how that ended. The deadline is this function's own and
 * covers everything; redirects are never followed; nothing is left open. Rejects only with the reason of `interrupted`.
 */
export async function send(request: HttpRequest): Promise<Exchange> {
  request.interrupted.throwIfAborted();
  const { url } = request;
  const began = performance.now();
  const timeline: TimelineEntry[] = [];
  const sockets: Socket[] = [];
  let phase: Phase = "lookup";
  let remoteAddress: string | null = null;
  let sentAt: number | null = null;
  let repliedAt: number | null = null;

  const progress: Progress = {
    enter: (next) => {
      phase = next;
    },
    reached: (step) => void timeline.push({ step, at: performance.now() - began }),
    opened: (socket) => {
      sockets.push(socket);
      // Whoever waits for the socket hears of its errors; one that comes after all is over must not end the process.
      socket.on("error", () => {});
    },
  };

  const connect = async (): Promise<Socket> => {
    const target = hostAndPort(url);
    const socket =
      request.proxy === null
        ? await openTcp(target, progress)
        : await openTunnel(request.proxy, target, request.extraCertificates, progress);
    remoteAddress = socket.remoteAddress ?? null;
    return url.protocol === "https:"
      ? openTls(socket, target.host, request.extraCertificates, progress)
      : socket;
  };

  const client = new Client(url.origin, {
    connect: (_options, callback) => {
      connect().then(
        (socket) => callback(null, socket),
        (error: Error) => callback(error, null),
      );
    },
    pipelining: 0,
    headersTimeout: 0,
    bodyTimeout: 0,
    maxHeaderSize: maxHeaderBytes,
  });

  let timer: NodeJS.Timeout | undefined;
  let stop: (() => void) | undefined;
  try {
    const ending = await new Promise<Ending>((resolve, reject) => {
      timer = setTimeout(() => resolve({ kind: "expired", phase }), request.deadlineMs);
      stop = () => reject(request.interrupted.reason);
      request.interrupted.addEventListener("abort", stop, { once: true });

      let status = 0;
      let headers: readonly HeaderField[] = [];
      let length = 0;
      const chunks: Buffer[] = [];
      const finish = (truncated: boolean): void =>
        resolve({
          kind: "reply",
          reply: { status, headers, body: Buffer.concat(chunks).subarray(0, maxBodyBytes), truncated },
        });

      client.dispatch(
        { method: "GET", path: url.pathname, headers: request.headers },
        {
          onRequestStart: () => {
            sentAt = request.now();
            progress.reached("request");
            progress.enter("headers");
          },
          onResponseStart: (controller, statusCode, parsed) => {
            if (statusCode < 200) return;
            repliedAt = request.now();
            progress.reached("headers");
            progress.enter("body");
            status = statusCode;
            headers = headerFields(controller.rawHeaders, parsed);
            // What is announced as too long is not waited for.
            const announced = headers.find(({ name }) => name === "content-length")?.value;
            if (Number(announced) > maxBodyBytes) finish(true);
          },
          onResponseData: (_controller, chunk) => {
            chunks.push(chunk);
            length += chunk.length;
            if (length > maxBodyBytes) finish(true);
          },
          onResponseEnd: () => {
            progress.reached("end");
            finish(false);
          },
          onResponseError: (_controller, error) => resolve(endingOf(error, repliedAt !== null)),
        },
      );
    });
    return {
      ...ending,
      trace: { durationMs: performance.now() - began, timeline, sentAt, repliedAt, remoteAddress },
    };
  } finally {
    clearTimeout(timer);
    if (stop) request.interrupted.removeEventListener("abort", stop);
    // undici may keep a connection, or try again, unless it is destroyed.
    void client.destroy().catch(() => {});
    for (const socket of sockets) socket.destroy();
  }
}
