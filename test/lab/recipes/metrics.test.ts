import { execFileSync, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { rcOf } from "../../e2e/profiles.ts";
import { emulate } from "../../support/emulate.ts";
import { folderWith } from "../../support/folder.ts";
import { freePort } from "../../support/port.ts";
import { runInProcess } from "../../support/run.ts";

test("promtool finds nothing wrong with the metrics, and node_exporter serves every sample of two jobs in one folder", async () => {
  const api = await emulate();
  const wrong = { token: "not-the-token" };
  const profiles = { good: {}, 'we"ird\\': wrong, "two\nlines": wrong, broken: { baseUrl: "ftp://x" } };
  const workingFolder = folderWith({ ".referralrc": rcOf(api.url, profiles) });
  const texts: string[] = [];
  for (const job of [1, 2]) {
    const file = `job-${job}.prom`;
    const args = ["test", "--all", "--quiet", "--metrics", file];
    await runInProcess(args, { workingFolder, homeFolder: workingFolder });
    texts.push(readFileSync(join(workingFolder, file), "utf8"));
  }
  for (const input of texts) {
    // Throws where promtool has anything to say.
    expect(execFileSync("promtool", ["check", "metrics"], { input }).toString()).toBe("");
  }

  const address = `127.0.0.1:${await freePort()}`;
  const collector = ["--collector.disable-defaults", "--collector.textfile"];
  const options = [`--collector.textfile.directory=${workingFolder}`, `--web.listen-address=${address}`];
  const exporter = spawn("prometheus-node-exporter", [...collector, ...options], { stdio: "ignore" });
  onTestFinished(() => void exporter.kill());
  const scrape = async () => (await fetch(`http://${address}/metrics`)).text();
  const scraped = await vi.waitFor(scrape, { timeout: 10_000, interval: 100 });

  expect(scraped).toContain("node_textfile_scrape_error 0\n");
  const namesOf = (metrics: string): readonly string[] =>
    metrics.split("\n").flatMap((line) => /^referral_auth_\w+/.exec(line) ?? []);
  expect(namesOf(scraped).toSorted()).toEqual(namesOf(texts.join("")).toSorted());
  expect(scraped).toContain('referral_auth_accepted{method="token",profile="good",report="job-2"} 1\n');
});
