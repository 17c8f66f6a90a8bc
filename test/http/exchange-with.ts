import type { Socket } from "node:net";
import { expect } from "vitest";
import { systemLookup } from "../../src/http/lookup.ts";
import { type Network, type Route, send } from "../../src/http/send.ts";
import { TlsCache } from "../../src/http/trusted-certificates.ts";
import { authorityCertificate } from "../faults/authority.ts";
import { aMoment } from "../faults/faults.ts";
import { type Act, answering } from "../faults/peers.ts";

/** A request, by which way it goes, and what it shares with others. */
export type Request = Route & Network & Parameters<typeof send>[1];

/** Sends a request. */
export const sendRequest = (request: Request) => send(request, request, request);

/** A request to this URL that the test can change. */
export function requestTo(url: string, more: Partial<Request> = {}): Request {
  return {
    baseUrl: new URL(url),
    path: "/path",
    headers: { accept: "*/*" },
    address: null,
    proxy: null,
    extraCertificates: [],
    timeoutSeconds: 5,
    now: () => 7,
    interrupted: new AbortController().signal,
    tls: new TlsCache(),
    lookup: systemLookup,
    ...more,
  };
}

/** What the exchange with a server that acts so comes to, after the server has seen the connection close. */
export async function exchangeWith(act: Act, more: Partial<Request> = {}) {
  let closed: Promise<unknown> = Promise.resolve();
  const peer = await answering((socket: Socket) => {
    // In an orderly way or not.
    closed = new Promise((resolve) => socket.once("close", resolve));
    act(socket);
  });
  const exchange = await sendRequest(requestTo(peer.url, more));
  await closed;
  await aMoment();
  expect([peer.connections(), peer.requests()]).toEqual([1, 1]);
  return { exchange, received: peer.received() };
}

/** The kind of the body and its length. */
export async function bodyOf(act: Act) {
  const { exchange } = await exchangeWith(act);
  return exchange.kind === "response"
    ? { length: exchange.response.body.length, truncated: exchange.response.truncated }
    : exchange;
}

/** How an exchange over TLS ended, and its steps without ports. The CA of the tests is trusted. */
export async function secureExchange(url: string, more: Partial<Request> = {}) {
  const { trace, ...end } = await sendRequest(
    requestTo(url, { extraCertificates: [authorityCertificate], ...more }),
  );
  const { address, steps, certificateExpiresAt } = trace.connection;
  const begun = Object.entries(steps).flatMap(([step, ms]) => (ms === null ? [] : step));
  return { ...end, address, tls: trace.tls, steps: begun, certificateExpiresAt };
}
