// The options of an emulator, each once: from this table come the flags of the command, the help and the type of `startEmulator`.

import { isIP } from "node:net";
import { InputError } from "../errors.ts";
import {
  choice,
  faulty,
  type Giver,
  number,
  type Reader,
  readOption,
  text,
  yesOrNo,
} from "../options/readers.ts";
import { conventionNames, hashNames } from "../wsse/digest.ts";
import { authorizationModes } from "../wsse/header.ts";
import type { PartialAccount } from "./accounts.ts";
import type { ReceivedRequest } from "./log.ts";
import { steering } from "./request.ts";

/** One option: how it is read, what stands for it if it is left out, and its flag. */
interface OptionRow extends Reader {
  /** Its type is the type of the option. A list is read element by element, and its flag may be repeated. */
  readonly fallback: unknown;
  /** As commander declares it. Without one, only programs can set the option. */
  readonly flag?: string;
  /** The group of its flag in the help, and what help says of the flag. */
  readonly group?: "Credentials:" | "Server:";
  readonly summary?: string;
}

const credentialFlag = (flag: string, summary: string) => ({ group: "Credentials:", flag, summary }) as const;
const serverFlag = (flag: string, summary: string) => ({ group: "Server:", flag, summary }) as const;

/** The row of an option with a fixed list of names. The first name is the default. */
function choiceRow<Name extends string>(flag: string, what: string, names: readonly [Name, ...Name[]]) {
  const fallback: Name = names[0];
  const summary = `${what} (one of ${names.join(", ")}; default ${fallback})`;
  return { ...credentialFlag(flag, summary), ...choice(names), fallback };
}

/** Text in PEM. checkPair() parses it. */
const pemText = { ...text, fallback: null as string | null };

const century = 100 * 365 * 86_400;

/** The options of an emulator: of `startEmulator`, and of the command in the order of its help. */
export const emulatorOptions = {
  /** The accounts to accept, with random credentials where none are given. By default one random account. */
  accounts: {
    fallback: [{}] as readonly PartialAccount[],
    // readOptions() wants a list, and completeAccount() reads the parts of an account.
    parse: (given) => given,
  },
  /** The digest convention of the accounts that name none; `text-nonce` by default. */
  digest: choiceRow("--digest <name>", "digest convention to accept", conventionNames),
  /** The hash of the accounts that name none; `sha1` by default. */
  hash: choiceRow("--hash <name>", "hash of the digest", hashNames),
  /** What accounts that do not set it must send in `Authorization` beside X-WSSE; `none` by default. */
  authorization: choiceRow(
    "--authorization <mode>",
    "Authorization field to require beside X-WSSE",
    authorizationModes,
  ),
  /** Whether to refuse nonces, times and layouts of X-WSSE that the API's specification does not show. */
  strict: {
    ...credentialFlag("--strict", "refuse X-WSSE headers that differ from the API's specification"),
    ...yesOrNo,
    fallback: false as boolean,
  },
  /** The port to listen on; 0, the default, means any free one. */
  port: {
    ...serverFlag("--port <n>", "port to listen on (default 0, any free port)"),
    ...number(0, 65_535, { example: "a port like 8080, or 0 for any free one" }),
    fallback: 0 as number,
  },
  /** The IP address to listen on; `127.0.0.1` by default. Others let other machines use this server and its accounts. */
  host: {
    ...serverFlag("--host <address>", "IP address to listen on (default 127.0.0.1)"),
    fallback: "127.0.0.1" as string,
    parse: (given) =>
      typeof given === "string" && isIP(given) !== 0
        ? given
        : faulty(
            "is not an IP address",
            "Write it like 0.0.0.0, which lets every machine that reaches this one in",
          ),
  },
  /** Names besides the server's own and those of loopback that `Host` and `Origin` may have, each with or without a port. */
  allowHosts: {
    ...serverFlag("--allow-host <name>", "name that Host and Origin may have too; may be repeated"),
    fallback: [] as readonly string[],
    parse(given) {
      const isName = typeof given === "string" && /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i.test(given);
      return isName ? given.toLowerCase() : faulty("is not a host name", "Write it like api or api:8080");
    },
  },
  /** The path of the base URL, like `/v1`; none by default. */
  basePath: {
    ...serverFlag("--base-path <path>", "path of the base URL, like /v1"),
    fallback: "" as string,
    parse(given) {
      const isPath = typeof given === "string" && /^(?:\/(?!\.{1,2}(?:\/|$))[\w.~-]+)+\/?$/.test(given);
      const isFree = isPath && !`${given}/`.startsWith(steering);
      return isFree ? given.replace(/\/$/, "") : faulty("is not the path of a base URL", "Write it like /v1");
    },
  },
  /** Whether the answer to a refused request has the first reason for the refusal. */
  explain: {
    ...serverFlag("--explain", "tell the client why it is refused"),
    ...yesOrNo,
    fallback: false as boolean,
  },
  /** How far the server's clock is ahead, in seconds; a negative number means behind. */
  clockOffsetSeconds: {
    ...serverFlag("--clock-offset <seconds>", "how far the server's clock is ahead; negative means behind"),
    // With these, the year still has four digits.
    ...number(-century, century, { example: "seconds like 400 or -400" }),
    fallback: 0 as number,
  },
  /** The status to answer every request with, whatever its credentials. */
  answer: {
    ...serverFlag("--answer <status>", "answer every request with this status"),
    ...number(200, 599, { example: "a status like 503" }),
    fallback: null as number | null,
  },
  /** Whether tests may steer the emulator over HTTP: `/__emulator/answers`, `/__emulator/requests`. */
  control: {
    ...serverFlag("--control", "let tests plan answers and list requests below /__emulator"),
    ...yesOrNo,
    fallback: false as boolean,
  },
  /** The certificate of a server that speaks TLS, and those that lead to its authority, in PEM. */
  cert: { ...serverFlag("--cert <file>", "certificate in PEM, to serve https"), ...pemText },
  /** The private key of the certificate, in PEM without a passphrase. */
  key: { ...serverFlag("--key <file>", "its private key in PEM"), ...pemText },
  /** Whether the process may end while the emulator still listens; `false` by default: close it. */
  unref: { ...yesOrNo, fallback: false as boolean },
  /** Called with a line for each request, without line end, before the request is answered. */
  log: {
    fallback: (() => {}) as (line: string, request: ReceivedRequest) => void,
    parse: (given) =>
      typeof given === "function" ? given : faulty("is not a function", "Leave it out for the default"),
  },
} satisfies Record<string, OptionRow>;

/** The names of the options and their rows, in the order of the help. */
export const optionRows: ReadonlyArray<readonly [string, OptionRow]> = Object.entries(emulatorOptions);

/** The value of every option. */
export type AllOptions = {
  readonly [Name in keyof typeof emulatorOptions]: (typeof emulatorOptions)[Name]["fallback"];
};

/** How an emulator behaves. Every option may be left out. */
export type EmulatorOptions = { readonly [Name in keyof AllOptions]?: AllOptions[Name] | undefined };

/** The value of each option, or its default. Throws InputError for the first that is invalid. */
export function readOptions(given: Readonly<Record<string, unknown>>, giver: Giver): AllOptions {
  const entries = optionRows.map(([name, row]) => {
    const value = given[name] ?? null;
    if (value === null) return [name, row.fallback];
    if (!Array.isArray(row.fallback)) return [name, readOption(row, value, name, giver)];
    if (!Array.isArray(value))
      throw new InputError(giver.kind, `${giver.nameOf(name)} is not a list`, "Give an array");
    return [name, value.map((one) => readOption(row, one, name, giver))];
  });
  return Object.fromEntries(entries);
}
