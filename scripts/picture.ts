// Draws the pictures of the documentation: the output of real runs against the emulator, with colours.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { stripVTControlCharacters } from "node:util";

const launcher = resolve("bin/launch.cjs");

const token = "3f786850e387550fdab836ed7e6dc881de23001b";
const [username, secret] = ["me@example.com", "made-up"];

interface Picture {
  readonly title: string;
  readonly commands: readonly string[];
  /** The variables of the emulator that the commands do not get: it gives its own credentials to them. */
  readonly unset: string;
  /** What is in the home folder, which is the working folder too. */
  readonly files: Readonly<Record<string, string>>;
}

const pictures: Readonly<Record<string, Picture>> = {
  "terminal.svg": {
    title: "An accepted token, and a refused WSSE header whose digest convention is proved",
    commands: [
      "referral-auth test",
      `referral-auth test --wsse --username ${username} --secret-file secret.txt --diagnose`,
    ],
    unset: "REFERRAL_USERNAME REFERRAL_SECRET",
    files: { "secret.txt": secret },
  },
  "accounts.svg": {
    title: "Six accounts: three accepted, two refused, one without a credential",
    commands: ["referral-auth test --all"],
    unset: "REFERRAL_TOKEN REFERRAL_USERNAME REFERRAL_SECRET",
    files: {
      ".referralrc": `profiles:
  berlin: { token: "${token}" }
  lisbon: { token: "${token}" }
  madrid: { token: "${token.replace("3f", "f3")}" }
  oslo: { username: "${username}", secret: "${secret}", digest: base64-nonce }
  paris: {}
  vienna: { token: "${token.replace("85", "58")}" }
`,
    },
  },
};

/** The output of the commands in one run of the emulator, each below its command line, with the sequences of colours. */
function recording({ commands, unset, files }: Picture): string {
  const folder = mkdtempSync(join(tmpdir(), "referral-auth-picture-"));
  try {
    for (const [name, text] of Object.entries(files))
      writeFileSync(join(folder, name), text, { mode: 0o600 });
    symlinkSync(launcher, join(folder, "referral-auth"));
    const typed = commands.map((command) => `printf '$ %s\\n' '${command}'; ${command} 2>&1; echo`);
    const script = [`unset ${unset}`, ...typed].join("\n");
    const credentials = ["--token", token, "--username", username, "--secret", secret];
    const args = ["emulator", "--digest", "base64-nonce", ...credentials, "--", "sh", "-c", script];
    const { stdout } = spawnSync(process.execPath, [launcher, ...args], {
      cwd: folder,
      encoding: "utf8",
      env: {
        HOME: folder,
        PATH: `${folder}:${dirname(process.execPath)}:${process.env.PATH}`,
        FORCE_COLOR: "1",
      },
    });
    // Show the base URL and the folder that the documentation uses.
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

/** One line as SVG. The codes that are no style end the one that began last (ECMA-48, 8.3.117). */
const spans = (line: string): string =>
  line
    .replace(/[&<>]/g, (character) => `&#${character.charCodeAt(0)};`)
    .replace(/\p{Cc}\[(\d+)m/gu, (_, code) =>
      code in styles ? `<tspan style="${styles[code]}">` : "</tspan>",
    );

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
      `<text x="${margin}" y="${margin + 15 + row * lineHeight}" xml:space="preserve">${spans(line)}</text>\n`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">
<title>${title}</title>
<rect width="100%" height="100%" rx="8" fill="#0d1117"/>
<g font-family="ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace" font-size="14" fill="#e6edf3">
${rows.join("")}</g>
</svg>
`;
}

const folder = process.argv[2] ?? "examples";
for (const [name, picture] of Object.entries(pictures))
  writeFileSync(join(folder, name), drawing(picture.title, recording(picture)));
