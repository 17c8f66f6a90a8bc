import { expect, test } from "vitest";
import { folderWith } from "../support/folder.ts";
import { leaks, planted } from "../support/planted.ts";
import { runInProcess } from "../support/run.ts";
import { acceptance, canary } from "./places.ts";

// test/settings/base-url.test.ts has every trick.
test.each(["--base-url", "REFERRAL_BASE_URL", "baseUrl"])(
  "a base URL from %s that another parser reads as another host exits 3, reaches nobody and is not repeated",
  async (from) => {
    const listener = await canary(acceptance);
    const url = `http://user:${planted.secret}@127.0.0.1:${listener.port}/v1`;
    const environment = {
      REFERRAL_TOKEN: planted.token,
      ...(from.startsWith("REFERRAL") && { [from]: url }),
    };
    const homeFolder = folderWith(from === "baseUrl" ? { ".referralrc.json": { baseUrl: url } } : {});
    const flag = from.startsWith("--") ? [from, url] : [];
    for (const args of [["test"], ["test", "--json", "--verbose"], ["config"], ["config", "--json"]]) {
      const run = await runInProcess([...args, ...flag], { environment, homeFolder });
      expect(run.exitCode, run.everything).toBe(3);
      expect(leaks(run.everything)).toEqual([]);
      expect(run.everything).toContain(from);
    }
    expect(listener.connections()).toBe(0);
  },
);
