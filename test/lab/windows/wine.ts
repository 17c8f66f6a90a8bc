import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The executable. */
export const built = fileURLToPath(
  new URL("../../../dist/executables/referral-auth-win-x64.exe", import.meta.url),
);

/**
 * Makes a Windows in which the executable runs as any program that tests start, and names it to them. Everything that
 * Windows itself sets is set from the HOME that a test gives. Gives what ends it.
 */
export default async function setUp(): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), "referral-auth-wine-"));
  // Wine puts its socket into TMPDIR; a test's own would get one too, and a server of its own.
  const folders = { PATH: "/usr/bin:/bin", HOME: folder, TMPDIR: folder, WINEPREFIX: join(folder, "prefix") };
  // Node asks for a Windows that wine does not yet claim to be.
  const environment = { ...folders, WINEDEBUG: "-all", NODE_SKIP_PLATFORM_CHECK: "1" };
  const wine = (...words: readonly string[]) =>
    execFileSync("wine", words, { env: environment, stdio: "ignore", timeout: 120_000 });
  wine("wineboot", "--init");
  wine("winecfg", "-v", "win10");
  execFileSync("wineserver", ["--wait"], { env: environment, stdio: "ignore", timeout: 60_000 });
  // This one stays, so that a program starts within half a second.
  const server = spawn("wineserver", ["--persistent", "--foreground"], { env: environment, stdio: "ignore" });

  const batch = `@echo off
set "USERPROFILE=%GIVEN_HOME%"
set "APPDATA=%GIVEN_HOME%\\AppData\\Roaming"
set "LOCALAPPDATA=%GIVEN_HOME%\\AppData\\Local"
"%GIVEN_PROGRAM%" %*
`;
  writeFileSync(join(folder, "as-user.cmd"), batch.replaceAll("\n", "\r\n"));
  const settings = Object.entries({ ...environment, GIVEN_PROGRAM: built })
    .map(([name, value]) => `export ${name}='${value}'`)
    .join("\n");
  // Node for Windows cannot use a pipe or socket of Linux, so the streams are files here.
  const script = `#!/bin/bash
export GIVEN_HOME="Z:$(printf %s "$HOME" | tr / '\\\\')"
${settings}
streams=$(mktemp -d '${folder}/XXXXXX')
cat >"$streams/in"
# Rarely wine cannot start a program at its first attempt. Its cmd then gives 9009, which is 49 here, and nothing has run.
for attempt in 1 2 3; do
  status=0
  wine cmd /d /c 'Z:${folder}/as-user.cmd' "$@" <"$streams/in" >"$streams/out" 2>"$streams/err" || status=$?
  if [ $status != 49 ] || ! grep -q "Can't recognize" "$streams/err"; then break; fi
  sleep 1
done
cat "$streams/out"
cat "$streams/err" >&2
exit $status
`;
  // On a terminal the streams are the terminal's.
  const onTerminal = `#!/bin/bash\n${settings}\nexec wine "$GIVEN_PROGRAM" "$@"\n`;
  for (const [name, variable, text] of [
    ["referral-auth", "REFERRAL_AUTH_EXECUTABLE", script],
    ["on-terminal", "REFERRAL_AUTH_ON_TERMINAL", onTerminal],
  ] as const) {
    process.env[variable] = join(folder, name);
    writeFileSync(join(folder, name), text, { mode: 0o755 });
  }

  return async () => {
    const ended = once(server, "exit");
    // This signal has it end the programs too. Where it has ended already, there is nothing to wait for.
    if (server.kill("SIGINT")) await ended;
    rmSync(folder, { recursive: true, force: true });
  };
}
