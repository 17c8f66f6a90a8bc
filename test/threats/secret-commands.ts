import { planted } from "../support/planted.ts";
import { json, type Served, serve, success } from "../support/serve.ts";

/** A command that runs this script by Node, with these words behind it. */
export const script = (text: string, ...words: readonly string[]): readonly string[] => [
  process.execPath,
  "-e",
  text,
  "--",
  ...words,
];
/** Prints the planted token. */
export const print = `process.stdout.write(${JSON.stringify(planted.token)})`;
/** A server that accepts everything. */
export const accepting = (): Promise<Served> => serve((_request, response) => json(response, 200, success));
