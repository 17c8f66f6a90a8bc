// Draws examples/terminal.svg for the README: what the tool prints, colours included, in a real run against its emulator.
import { spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { stripVTControlCharacters } from "node:util";

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const launcher = here("../bin/launch.cjs");

const account = {
  token: "3f786850e387550fdab836ed7e6dc881de23001b",
  username: "me@example.com",
  secret: "made-up",
};

/** The commands of the picture, each with the options of the emulator that it runs against. */
const scenes = [
  { command: "referral-auth test --token-file token.txt", server: [] },
  {
    command: "referral-auth test --username me@example.com --secret-file secret.txt --diagnose",
    server: ["--digest", "base64-nonce"],
  },
];

/** The output of the commands, each below its command line, with the escape sequences of colours. */
function recording(): string {
  const folder = mkdtempSync(join(tmpdir(), "referral-auth-picture-"));
  try {
    for (const [name, value] of Object.entries(account))
      writeFileSync(join(folder, `${name}.txt`), value, { mode: 0o600 });
    const program = join(folder, "referral-auth");
    writeFileSync(program, `#!/bin/sh\nexec "${process.execPath}" "${launcher}" "$@"\n`);
    chmodSync(program, 0o755);
    return scenes.map(({ command, server }) => typed(command, server, folder)).join("\n");
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function typed(command: string, server: readonly string[], folder: string): string {
  const credentials = Object.entries(account).flatMap(([name, value]) => [`--${name}`, value]);
  // The emulator sets these variables for its command. The picture does not use them.
  const script = `unset REFERRAL_TOKEN REFERRAL_USERNAME REFERRAL_SECRET; ${command} 2>&1`;
  const { stdout } = spawnSync(
    process.execPath,
    [launcher, "emulator", ...server, ...credentials, "--", "sh", "-c", script],
    {
      cwd: folder,
      encoding: "utf8",
      env: { HOME: folder, PATH: `${folder}:${process.env.PATH}`, FORCE_COLOR: "1" },
    },
  );
  return `$ ${command}\n${stdout}`;
}

const styles: Readonly<Record<string, string>> = {
  1: "font-weight:bold",
  2: "fill:#8b949e",
  31: "fill:#ff7b72",
  32: "fill:#7ee787",
  33: "fill:#e3b341",
};
// The codes that end a style or colour, each with the codes that it ends (ECMA-48, 8.3.117).
const ends: Readonly<Record<string, readonly string[]>> = { 22: ["1", "2"], 39: ["31", "32", "33"] };

const xml = (text: string): string => text.replace(/[&<>]/g, (character) => `&#${character.charCodeAt(0)};`);

/** One line as text elements of SVG, by the colours that are on. */
function spans(line: string): readonly string[] {
  const on = new Set<string>();
  const [plain = "", ...painted] = line.split("\u001b[");
  return [
    xml(plain),
    ...painted.map((part) => {
      const [, code = "", text = ""] = /^(\d+)m(.*)$/.exec(part) ?? [];
      for (const ended of ends[code] ?? []) on.delete(ended);
      if (code in styles) on.add(code);
      const style = [...on].map((one) => styles[one]).join(";");
      return style === "" ? xml(text) : `<tspan style="${style}">${xml(text)}</tspan>`;
    }),
  ];
}

const [lineHeight, characterWidth, margin] = [20, 8.43, 20];

/** The picture of a recording. */
function picture(text: string): string {
  const lines = text.trimEnd().split("\n");
  const longest = Math.max(...lines.map((line) => stripVTControlCharacters(line).length));
  const [width, height] = [
    Math.ceil(longest * characterWidth) + 2 * margin,
    lines.length * lineHeight + 2 * margin,
  ];
  const rows = lines.map(
    (line, row) =>
      `<text x="${margin}" y="${margin + 15 + row * lineHeight}" xml:space="preserve">${spans(line).join("")}</text>\n`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">
<title>An accepted token, and a refused WSSE header whose digest convention is proved</title>
<rect width="100%" height="100%" rx="8" fill="#0d1117"/>
<g font-family="ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace" font-size="14" fill="#e6edf3">
${rows.join("")}</g>
</svg>
`;
}

writeFileSync(process.argv[2] ?? here("../examples/terminal.svg"), picture(recording()));
