// A worker of bench-network.ts: a DNS server that takes 20 ms for each answer. It answers every question for A with 127.0.0.1, and
// every other question with nothing (RFC 1035, section 4).
import { createSocket } from "node:dgram";

const server = createSocket("udp4");
server.on("message", (query, { port, address }) => {
  const typeAt = query.indexOf(0, 12) + 1;
  const isA = query.readUInt16BE(typeAt) === 1;
  const header = Buffer.from([0x81, 0x80, 0, 1, 0, isA ? 1 : 0, 0, 0, 0, 0]);
  const record = Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, 127, 0, 0, 1]);
  const parts = [query.subarray(0, 2), header, query.subarray(12, typeAt + 4), ...(isA ? [record] : [])];
  setTimeout(() => server.send(Buffer.concat(parts), port, address), 20);
});
server.bind(53, "127.0.0.1");
