import { onTestFinished } from "vitest";
import { startProgram } from "../interop/program.ts";

/** Starts a Pushgateway. Gives its URL, and what it has of each shard: the exit code, whether it was interrupted, the accounts. */
export async function pushgateway() {
  const address = (port: number): string => `127.0.0.1:${port}`;
  const { port, stop } = await startProgram((port) => [
    "prometheus-pushgateway",
    `--web.listen-address=${address(port)}`,
  ]);
  onTestFinished(stop);
  const url = `http://${address(port)}`;
  async function pushed() {
    const text = await (await fetch(`${url}/metrics`)).text();
    const samples = [...text.matchAll(/^(referral_auth_\w+)\{(.*)\} (.*)$/gm)];
    return [1, 2, 3, 4].map((shard) => {
      const own = samples.filter(([, , labels]) =>
        labels?.includes(`report="shard-${shard}",shard="${shard}"`),
      );
      const value = (wanted: string) => own.find(([, name]) => name === wanted)?.[3];
      return {
        exitCode: Number(value("referral_auth_run_exit_code")),
        isInterrupted: value("referral_auth_run_interrupted") === "1",
        accounts: own.filter(([, name]) => name === "referral_auth_accepted").length,
      };
    });
  }
  return { url, pushed };
}
