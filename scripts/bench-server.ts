// A worker of the benchmarks: accepts every request, over http and over https; below /slow/ after 50 ms.
import { createServer as createHttpServer, type RequestListener } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { parentPort } from "node:worker_threads";
import { identity } from "../test/faults/certificates.ts";

const own = identity({ commonName: "Benchmark", names: ["IP:127.0.0.1"] });
const body = JSON.stringify({ code: 200, message: "Hello! You were successfully authenticated." });
const accept: RequestListener = ({ url }, response) => {
  const answer = () => response.writeHead(200, { "content-type": "application/json" }).end(body);
  if (url?.startsWith("/slow/")) setTimeout(answer, 50);
  else answer();
};
const servers = { http: createHttpServer(accept), https: createHttpsServer(own, accept) };
for (const server of Object.values(servers))
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
const urlOf = (scheme: keyof typeof servers): string =>
  `${scheme}://127.0.0.1:${(servers[scheme].address() as AddressInfo).port}`;
parentPort?.postMessage({ http: urlOf("http"), https: urlOf("https"), certificate: own.cert });
