// A worker of the benchmarks: accepts every request, over http and over https.
import { createServer as createHttpServer, type RequestListener } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { parentPort } from "node:worker_threads";
import { identity } from "../test/faults/certificates.ts";

const own = identity({ commonName: "Benchmark", names: ["IP:127.0.0.1"] });
const body = JSON.stringify({ code: 200, message: "Hello! You were successfully authenticated." });
const accept: RequestListener = (_, response) =>
  void response.writeHead(200, { "content-type": "application/json" }).end(body);
const servers = { http: createHttpServer(accept), https: createHttpsServer(own, accept) };
for (const server of Object.values(servers))
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
const urlOf = (scheme: keyof typeof servers): string =>
  `${scheme}://127.0.0.1:${(servers[scheme].address() as AddressInfo).port}`;
parentPort?.postMessage({ http: urlOf("http"), https: urlOf("https"), certificate: own.cert });
