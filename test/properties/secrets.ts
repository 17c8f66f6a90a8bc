import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { formsOf } from "../support/planted.ts";
import { type Run, runInProcess } from "../support/run.ts";

/** What a credential is set by. */
export type Values = Readonly<Partial<Record<"token" | "username" | "secret" | "digest", string>>>;
/** Where the values come from. In the last two the secret does, and all others from the rc file. */
export const sources = ["flag", "environment", "rc file", "file", "standard input"] as const;

/** Runs `test` with values that are given in one of the ways. */
export function testWith(
  values: Values,
  source: (typeof sources)[number],
  folder: string,
  more: readonly string[],
): Promise<Run> {
  const name = values.token === undefined ? "secret" : "token";
  const [rc, file] = [join(folder, ".referralrc.json"), join(folder, "secret.txt")];
  const all = Object.entries(values);
  const others = { ...values, [name]: undefined };
  const inRc = { flag: {}, environment: {}, "rc file": values, file: others, "standard input": others };
  writeFileSync(rc, JSON.stringify(inRc[source]), { mode: 0o600 });
  writeFileSync(file, `${values[name]}\n`, { mode: 0o600 });
  const flags = source === "flag" ? all.map(([name, value]) => `--${name}=${value}`) : [];
  const byFile = { file: [`--${name}-file`, file], "standard input": [`--${name}-file`, "-"] };
  const variables = source === "environment" ? all : [];
  return runInProcess(["test", "--config", rc, ...flags, ...(byFile[source as "file"] ?? []), ...more], {
    environment: Object.fromEntries(
      variables.map(([name, text]) => [`REFERRAL_${name.toUpperCase()}`, text]),
    ),
    stdin: `${values[name]}\n`,
  });
}

/** Both streams: as they are, and after decoding JSON, our own escapes or misread UTF-8. */
function readings({ stdout, everything }: Run): readonly string[] {
  const unescaped = everything.replace(/\\u(?:\{([0-9a-f]{1,5})\}|([0-9a-f]{4}))/gi, (_, ours, jsons) =>
    String.fromCodePoint(Number.parseInt(ours ?? jsons, 16)),
  );
  const document = stdout.startsWith("{") ? JSON.stringify(JSON.parse(stdout)) : "";
  const decoded = [...everything.matchAll(/[\w+/-]{16,}/g)].map(([text]) =>
    Buffer.from(text, "base64").toString(),
  );
  return [everything, unescaped, document, Buffer.from(everything, "latin1").toString(), ...decoded];
}

/** The forms of the secret that a run shows, whole or in part, in whatever letter case; and `more`, if it shows that. */
export function shown(run: Run, secret: string, more: readonly string[] = []): readonly string[] {
  const characters = Array.from(secret);
  // No part of a long one may be shown either.
  const parts = characters.length <= 100 ? [secret] : (secret.match(/.{20}/gsu) ?? []);
  const forms = [...parts.flatMap(formsOf), ...more].map((form) => form.toLowerCase());
  return readings(run).flatMap((text) => forms.filter((form) => text.toLowerCase().includes(form)));
}
