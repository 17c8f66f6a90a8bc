import { expect, test } from "vitest";
import { planted } from "../support/planted.ts";
import { runInProcess, ways } from "../support/run.ts";
import { json, serve, success } from "../support/serve.ts";

const painted = "\u001b[32m\u001b[1maccepted\u001b[22m\u001b[39m    token: ";
const plain = "accepted    token: ";

/** The options and environment of a run without a terminal. test/report/layout.test.ts has the whole rule. */
const cases = ways.flatMap(([way, run]) =>
  [
    { args: ["test"], more: {}, start: plain },
    { args: ["test"], more: { FORCE_COLOR: "1" }, start: painted },
    { args: ["test", "--no-color"], more: { FORCE_COLOR: "1" }, start: plain },
  ].map((given) => ({ way, run, ...given })),
);

test.each(cases)(
  "$args with $more begins with the right colour, $way",
  async ({ run, args, more, start }) => {
    const api = await serve((_request, response) => json(response, 200, success));
    const environment = { REFERRAL_BASE_URL: api.url, REFERRAL_TOKEN: planted.token, ...more };
    const { exitCode, stdout } = await run(args, { environment });
    expect([exitCode, stdout.startsWith(start)]).toEqual([0, true]);
    const onTerminal = await runInProcess(args.slice(0, 1), { environment, terminal: true });
    expect(onTerminal.stdout).toContain(painted);
  },
);
