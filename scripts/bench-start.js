// How long commands take as whole processes, each round beside the floor: ten lines of node:http on the same Node.
// usage, inside `referral-auth emulator --`: bench-start.js [--rounds n] [--limit ratio] [--launcher file]
//   [--executable file] [node,…]
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const { values: options, positionals: nodes } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: "string", default: "40" },
    limit: { type: "string" },
    launcher: { type: "string", default: here("../bin/launch.cjs") },
    executable: { type: "string" },
  },
});

const folder = mkdtempSync(join(tmpdir(), "referral-auth-bench-"));
mkdirSync(join(folder, ".cache"), { mode: 0o700 });
const { PATH, REFERRAL_BASE_URL, REFERRAL_TOKEN, REFERRAL_USERNAME, REFERRAL_SECRET } = process.env;
const base = { PATH, HOME: folder, REFERRAL_BASE_URL };
const token = { ...base, REFERRAL_TOKEN };
const wsse = { ...base, REFERRAL_USERNAME, REFERRAL_SECRET };

/** The milliseconds that a command took. Throws where it fails, since a failure may be quicker. */
function time([command, args, env]) {
  const began = process.hrtime.bigint();
  const { status, stderr, error } = spawnSync(command, args, { env, stdio: ["ignore", "pipe", "pipe"] });
  const taken = Number(process.hrtime.bigint() - began) / 1e6;
  if (status !== 0) throw new Error(`${command} ${args.join(" ")}: ${error ?? `exit ${status}\n${stderr}`}`);
  return taken;
}

const sorted = (numbers) => [...numbers].sort((a, b) => a - b);
const quantile = (numbers, part) => sorted(numbers)[Math.round((numbers.length - 1) * part)];

/** Runs all in turn, round after round, so that a slow moment of the machine hits all alike. */
function interleaved(commands) {
  const names = Object.keys(commands);
  for (const name of names) for (let warm = 0; warm < 3; warm++) time(commands[name]);
  const rounds = Array.from({ length: Number(options.rounds) }, () =>
    Object.fromEntries(names.map((name) => [name, time(commands[name])])),
  );
  return names.map((name) => {
    const against = (other) => rounds.map((round) => round[name] / round[other]);
    return {
      name,
      milliseconds: quantile(
        rounds.map((round) => round[name]),
        0.5,
      ),
      ratios: against("floor"),
      toBare: quantile(against("node -e 0"), 0.5),
    };
  });
}

const commandsOf = (run) => ({
  "`test --token`": run(["test", "--token"], token),
  "`test --wsse`": run(["test", "--wsse"], wsse),
  "`header --wsse`": run(["header", "--wsse"], wsse),
  "`--help`": run(["--help"], base),
  "`--version`": run(["--version"], base),
});
const prefixed = (prefix, commands) =>
  Object.fromEntries(Object.entries(commands).map(([name, command]) => [`${prefix}${name}`, command]));

const token_ = `X-Auth-Token:${REFERRAL_TOKEN}`;
const url = `${REFERRAL_BASE_URL}/test-authentication`;
const others = {
  curl: ["curl", ["-fsS", "-H", token_, url], base],
  HTTPie: ["http", ["--ignore-stdin", "--check-status", "GET", url, token_], base],
};

const print = (line) => process.stdout.write(`${line}\n`);
let failed = false;
try {
  print("| Node | command | ms | ratio to the floor | quartiles | to `node -e 0` |");
  print("|---|---|---:|---:|---:|---:|");
  for (const node of nodes.length > 0 ? nodes : [process.execPath]) {
    const version = spawnSync(node, ["--version"], { encoding: "utf8" }).stdout.trim();
    const results = interleaved({
      "node -e 0": [node, ["-e", "0"], base],
      floor: [node, [here("floor.cjs")], token],
      ...commandsOf((args, env) => [node, [options.launcher, ...args], env]),
      ...(options.executable
        ? prefixed(
            "executable: ",
            commandsOf((args, env) => [options.executable, args, env]),
          )
        : {}),
      ...(options.limit ? {} : others),
    });
    for (const { name, milliseconds, ratios, toBare } of results) {
      const [low, middle, high] = [0.25, 0.5, 0.75].map((part) => quantile(ratios, part).toFixed(2));
      print(
        `| ${version} | ${name} | ${milliseconds.toFixed(0)} | ${middle} | ${low} to ${high} | ${toBare.toFixed(2)} |`,
      );
      if (name === "`test --token`" && middle > Number(options.limit)) {
        print(`The main job takes ${middle} of the floor; it may take ${options.limit}.`);
        failed = true;
      }
    }
  }
} finally {
  rmSync(folder, { recursive: true });
}
process.exitCode = failed ? 1 : 0;
