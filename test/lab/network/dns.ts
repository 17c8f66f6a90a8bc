import { createSocket } from "node:dgram";
import { isIP } from "node:net";

/** What DNS says of a name: its addresses, a failure, or nothing; at once or later. A name without a record does not exist. */
interface DnsRecord {
  readonly addresses?: readonly string[];
  readonly fails?: "SERVFAIL" | "silence";
  readonly delayMs?: number;
}

/** The records of all names. `*` has those of every other name. */
export type Zone = Readonly<Record<string, DnsRecord>>;

const types = { 1: 4, 28: 6 } as const;

/** The name and the end of the question in a query (RFC 1035, 4.1.2). */
function questionOf(query: Buffer): { readonly name: string; readonly end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString("latin1", at + 1, at + 1 + length));
    at += length + 1;
  }
  return { name: labels.join(".").toLowerCase(), end: at + 5 };
}

function bytesOf(address: string): Buffer {
  if (isIP(address) === 4) return Buffer.from(address.split(".").map(Number));
  const [head = "", tail = ""] = address.split("::").map((half) =>
    half
      .split(":")
      .map((group) => (group === "" ? "" : group.padStart(4, "0")))
      .join(""),
  );
  return Buffer.from(head + tail.padStart(32 - head.length, "0"), "hex");
}

function responseTo(query: Buffer, record: DnsRecord | undefined, end: number): Buffer {
  const family = types[query.readUInt16BE(end - 4) as keyof typeof types];
  const addresses = (record?.addresses ?? []).filter((address) => isIP(address) === family);
  const code = record === undefined ? 3 : record.fails === "SERVFAIL" ? 2 : 0;
  const head = Buffer.from([0x81, 0x80 | code, 0, 1, 0, addresses.length, 0, 0, 0, 0]);
  const answers = addresses.map(bytesOf).flatMap((bytes) => [
    // The name of the question, its type, class IN, no time to live.
    Buffer.from([0xc0, 12, 0, family === 4 ? 1 : 28, 0, 1, 0, 0, 0, 0, 0, bytes.length]),
    bytes,
  ]);
  return Buffer.concat([query.subarray(0, 2), head, query.subarray(12, end), ...answers]);
}

/** Answers queries over UDP from this zone, on every address of the machine. Resolves when it can be asked. */
export function serveDns(zone: Zone): Promise<void> {
  const socket = createSocket("udp4");
  socket.on("message", (query, { port, address }) => {
    const { name, end } = questionOf(query);
    const record = zone[name] ?? zone["*"];
    if (record?.fails === "silence") return;
    setTimeout(() => socket.send(responseTo(query, record, end), port, address), record?.delayMs ?? 0);
  });
  return new Promise((resolve) => socket.bind(53, "0.0.0.0", resolve));
}
