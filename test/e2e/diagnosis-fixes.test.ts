import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { folderWith } from "../support/folder.ts";
import { planted } from "../support/planted.ts";
import { runInProcess } from "../support/run.ts";
import { type Demands, verifier } from "./verifier.ts";

/** Everything that a user can change to follow a fix. */
interface Situation {
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly file: string;
}

function withoutFlag(args: readonly string[], flag: string): readonly string[] {
  return args.filter((arg, index) => arg !== flag && args[index - 1] !== flag);
}

function writeLine(file: string, line: number, text: string): void {
  const lines = readFileSync(file, "utf8").split("\n");
  const indent = /^ */.exec(lines[line - 1] ?? "")?.[0] ?? "";
  lines[line - 1] = indent + text;
  writeFileSync(file, lines.join("\n"));
}

/** Does exactly what one sentence of a fix says. If the sentence offers a flag or a variable, `way` chooses. */
function follow(sentence: string, now: Situation, way: "flag" | "variable"): Situation {
  const use = /^Use (--\S+) (\S+?),? \(?(?:or set (\S+)=(\S+) )?/.exec(sentence);
  if (use !== null) {
    const [, flag = "", value = "", variable, sameValue = ""] = use;
    return way === "variable" && variable !== undefined
      ? { ...now, environment: { ...now.environment, [variable]: sameValue } }
      : { ...now, args: [...withoutFlag(now.args, flag), flag, value] };
  }
  const write = /^Write (\S+: \S+) into (\S+?)(?:, line (\d+)|, below this profile)? \((?:not set )?now/.exec(
    sentence,
  );
  if (write === null) throw new Error(`No way to follow: ${sentence}`);
  const [, text = "", file = "", line] = write;
  if (line !== undefined) writeLine(file, Number(line), text);
  else if (sentence.includes("below this profile")) {
    writeFileSync(file, `${readFileSync(file, "utf8").trimEnd()}\n    ${text}\n`);
  } else writeFileSync(file, `${text}\n${readFileSync(file, "utf8")}`);
  return now;
}

const run = ({ args, environment, file }: Situation, more: readonly string[] = []) =>
  runInProcess(["test", "--wsse", "--config", file, ...args, ...more], { environment });

const account = `username: ${planted.username}\nsecret: ${planted.secret}\n`;
const profile = `profiles:\n  live:\n    username: ${planted.username}\n    secret: ${planted.secret}\n`;

/** The places where these settings can have a wrong value. */
const places: Readonly<
  Record<string, (settings: Readonly<Record<string, string>>) => Partial<Situation> & { rc: string }>
> = {
  "a flag": (settings) => ({
    rc: account,
    args: Object.entries(settings).flatMap(([key, value]) => [`--${key}`, value]),
  }),
  "a variable": (settings) => ({
    rc: account,
    environment: Object.fromEntries(
      Object.entries(settings).map(([key, value]) => [`REFERRAL_${key.toUpperCase()}`, value]),
    ),
  }),
  "the rc file": (settings) => ({
    rc: `${Object.entries(settings)
      .map(([key, value]) => `${key}: ${value}\n`)
      .join("")}${account}`,
  }),
  "a profile": (settings) => ({
    rc: `${profile}${Object.entries(settings)
      .map(([key, value]) => `    ${key}: ${value}\n`)
      .join("")}`,
    args: ["--profile", "live"],
  }),
  "the defaults, with an rc file": () => ({ rc: account }),
  "the defaults, of a profile": () => ({ rc: profile, args: ["--profile", "live"] }),
};

const wrong = { digest: "text-nonce", hash: "sha1", authorization: "none" };
const demanded: readonly Demands[] = [
  { digest: "hex-digest" },
  { hash: "sha512" },
  { authorization: true },
  { authorization: true, digest: "base64-nonce", hash: "sha256" },
];

async function fixFor(situation: Situation): Promise<string> {
  const refused = await run(situation, ["--diagnose", "--json"]);
  expect(refused.exitCode).toBe(4);
  const [first] = JSON.parse(refused.stdout).checks[0].findings;
  expect(first.certainty).toBe("proved");
  return first.fix;
}

describe.each(Object.entries(places))(
  "a fix for a value of %s is followed literally, and works:",
  (_, place) => {
    test.each(demanded)("%j", async (demands) => {
      const api = await verifier(demands);
      const { rc, args = [], environment = {} } = place(wrong);
      const file = join(folderWith({ ".referralrc": rc }), ".referralrc");
      const before: Situation = { args, environment: { REFERRAL_BASE_URL: api.url, ...environment }, file };

      const sentences = (await fixFor(before)).split(/(?<=\))\. /);
      const after = sentences.reduce((now, sentence) => follow(sentence, now, "flag"), before);

      expect(await run(after)).toMatchObject({ exitCode: 0, stderr: "" });
    });
  },
);

test.each(["flag", "variable"] as const)("a default without an rc file is changed by a %s", async (way) => {
  const api = await verifier({ digest: "base64-nonce", hash: "sha512" });
  const environment = {
    REFERRAL_BASE_URL: api.url,
    REFERRAL_USERNAME: planted.username,
    REFERRAL_SECRET: planted.secret,
  };
  const runs = (
    { args, environment: variables }: Pick<Situation, "args" | "environment">,
    more: readonly string[],
  ) => runInProcess(["test", "--wsse", ...args, ...more], { environment: variables });
  const refused = await runs({ args: [], environment }, ["--diagnose", "--json"]);
  const { fix } = JSON.parse(refused.stdout).checks[0].findings[0];

  const after = String(fix)
    .split(/(?<=\))\. /)
    .reduce<Situation>((now, sentence) => follow(sentence, now, way), { args: [], environment, file: "" });

  expect(await runs(after, [])).toMatchObject({ exitCode: 0 });
});
