import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { formsOf } from "../support/planted.ts";
import { type Run, runInProcess } from "../support/run.ts";

/** How the secret is used. */
export type Method = "token" | "wsse";
/** Where the secret comes from. */
export type Source = "flag" | "environment" | "rc file" | "file" | "standard input";
export const sources: readonly Source[] = ["flag", "environment", "rc file", "file", "standard input"];

/** Runs `test` with the secret given in one of the ways. */
export function check(
  method: Method,
  source: Source,
  secret: string,
  place: string,
  more: readonly string[],
): Promise<Run> {
  const name = method === "token" ? "token" : "secret";
  const [rc, file] = [join(place, ".referralrc.json"), join(place, "secret.txt")];
  const username = method === "wsse" ? { username: "a@example.com" } : {};
  writeFileSync(rc, JSON.stringify({ ...username, ...(source === "rc file" ? { [name]: secret } : {}) }), {
    mode: 0o600,
  });
  if (source === "file") writeFileSync(file, `${secret}\n`, { mode: 0o600 });
  const given: Readonly<Record<Source, readonly string[]>> = {
    flag: [`--${name}=${secret}`],
    environment: [],
    "rc file": [],
    file: [`--${name}-file`, file],
    "standard input": [`--${name}-file`, "-"],
  };
  return runInProcess(["test", "--config", rc, ...given[source], ...more], {
    environment: source === "environment" ? { [`REFERRAL_${name.toUpperCase()}`]: secret } : {},
    ...(source === "standard input" ? { stdin: `${secret}\n` } : {}),
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

/** The secret, or the parts of a long one: none of them may be shown either. */
function partsOf(secret: string): readonly string[] {
  const characters = Array.from(secret);
  if (characters.length <= 100) return [secret];
  return Array.from({ length: Math.floor(characters.length / 20) }, (_, index) =>
    characters.slice(index * 20, (index + 1) * 20).join(""),
  );
}

/** The forms of the secret that a run shows, whole or in part, in whatever letter case; and `more`, if it shows that. */
export function shown(run: Run, secret: string, more: readonly string[] = []): readonly string[] {
  const forms = [...partsOf(secret).flatMap(formsOf), ...more].map((form) => form.toLowerCase());
  return readings(run).flatMap((text) => forms.filter((form) => text.toLowerCase().includes(form)));
}
