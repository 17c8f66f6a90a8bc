// Draws the pictures of the pages: what the tool prints, colours included, in real runs against its emulator.
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

const accounts = {
  berlin: { token: account.token },
  lisbon: { token: account.token },
  madrid: { token: account.token.replace("3f", "f3") },
  oslo: { username: account.username, secret: account.secret, digest: "base64-nonce" },
  paris: {},
  vienna: { token: account.token.replace("85", "58") },
};

const profiles = Object.entries(accounts).map(([name, keys]) => `  ${name}: ${JSON.stringify(keys)}\n`);

interface Picture {
  readonly title: string;
  readonly commands: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** What is in the home folder, which is the working folder too. */
  readonly files: Readonly<Record<string, string>>;
}

const pictures: Readonly<Record<string, Picture>> = {
  "terminal.svg": {
    title: "An accepted token, and a refused WSSE header whose digest convention is proved",
    commands: [
      "referral-auth test",
      "referral-auth test --wsse --username me@example.com --secret-file secret.txt --diagnose",
    ],
    environment: { REFERRAL_TOKEN: account.token },
    files: { "secret.txt": account.secret },
  },
  "accounts.svg": {
    title: "Six accounts: three accepted, two refused, one without a credential",
    commands: ["referral-auth test --all"],
    environment: {},
    files: { ".referralrc": `profiles:\n${profiles.join("")}` },
  },
};

/** What the commands print in one run of the emulator, each below the line it was typed in, with the sequences of colours. */
function recording({ commands, environment, files }: Picture): string {
  const folder = mkdtempSync(join(tmpdir(), "referral-auth-picture-"));
  try {
    const write = (name: string, text: string): void =>
      writeFileSync(join(folder, name), text, { mode: 0o600 });
    for (const [name, text] of Object.entries(files)) write(name, text);
    write("referral-auth", `#!/bin/sh\nexec "${process.execPath}" "${launcher}" "$@"\n`);
    chmodSync(join(folder, "referral-auth"), 0o755);
    // The emulator gives its own credentials to the command; they do not belong in a picture.
    const given = Object.entries(environment).map(([name, value]) => `export ${name}=${value}`);
    const typed = commands.map((command) => `printf '$ %s\\n' '${command}'; ${command} 2>&1; echo`);
    const script = ["unset REFERRAL_TOKEN REFERRAL_USERNAME REFERRAL_SECRET", ...given, ...typed].join("\n");
    const credentials = Object.entries(account).flatMap(([name, value]) => [`--${name}`, value]);
    const args = ["emulator", "--digest", "base64-nonce", ...credentials, "--", "sh", "-c", script];
    const { stdout } = spawnSync(process.execPath, [launcher, ...args], {
      cwd: folder,
      encoding: "utf8",
      env: { HOME: folder, PATH: `${folder}:${process.env.PATH}`, FORCE_COLOR: "1" },
    });
    // The emulator's address and the folder are those that the pages use.
    return stdout
      .replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, "https://api.example.com/v1")
      .replaceAll(folder, "/home/me");
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const styles: Readonly<Record<string, string>> = {
  1: "font-weight:bold",
  2: "fill:#8b949e",
  31: "fill:#ff7b72",
  32: "fill:#7ee787",
  33: "fill:#e3b341",
};
// Each of these ends what began with one of those (ECMA-48, 8.3.117).
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

/** A recording as SVG. */
function drawing(title: string, text: string): string {
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
<title>${title}</title>
<rect width="100%" height="100%" rx="8" fill="#0d1117"/>
<g font-family="ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace" font-size="14" fill="#e6edf3">
${rows.join("")}</g>
</svg>
`;
}

const folder = process.argv[2] ?? here("../examples");
for (const [name, picture] of Object.entries(pictures))
  writeFileSync(join(folder, name), drawing(picture.title, recording(picture)));
