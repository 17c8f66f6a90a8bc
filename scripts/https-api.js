// A worker of bench-start.js: accepts every request over https. The emulator speaks clear HTTP only.
import { createServer } from "node:https";
import { parentPort } from "node:worker_threads";
import { identity } from "../test/faults/certificates.ts";

const own = identity({ commonName: "Benchmark", names: ["IP:127.0.0.1"] });
const body = JSON.stringify({ code: 200, message: "Hello! You were successfully authenticated." });
const server = createServer(own, (_request, response) => {
  response.writeHead(200, { "content-type": "application/json" }).end(body);
});
server.listen(0, "127.0.0.1", () =>
  parentPort?.postMessage({ url: `https://127.0.0.1:${server.address().port}`, certificate: own.cert }),
);
