import type { OutgoingHttpHeaders } from "node:http";
import type { Emulator } from "../../src/emulator/emulator.ts";
import { credentials, send } from "./support.ts";

/** The paths that steer. */
export const [answers, requests, health] = [
  "/__emulator/answers",
  "/__emulator/requests",
  "/__emulator/health",
] as const;

/** The header of an accepted request. */
export const token = { "X-Auth-Token": credentials.token };

/** A request that steers. */
export const steer = (url: string, method: string, path: string = answers, body?: string, headers = {}) =>
  send(url, { method, path, headers, ...(body !== undefined && { body }) });

/** Sends each of these headers to the endpoint, one after the other. */
export async function statuses(
  { url }: Pick<Emulator, "url">,
  ...sent: OutgoingHttpHeaders[]
): Promise<readonly number[]> {
  const received: number[] = [];
  for (const headers of sent) received.push((await send(url, { headers })).status);
  return received;
}
/** Three requests that are accepted. */
export const three = [token, token, token] as const;
