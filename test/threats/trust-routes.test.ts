import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { identity } from "../faults/certificates.ts";
import { leaks } from "../support/planted.ts";
import { runInProcess } from "../support/run.ts";
import { json, success } from "../support/serve.ts";
import { acceptance, canary } from "./places.ts";
import {
  arrangement,
  counts,
  credentialCounts,
  credentials,
  describePlace,
  isYourCredential,
  isYours,
  type Place,
  places,
  routeParts,
  type Spelling,
} from "./routes.ts";

const authority = { ...identity({ commonName: "Canary CA" }), commonName: "Canary CA" };
const server = identity({ commonName: "127.0.0.1", names: ["IP:127.0.0.1"] }, authority);

/** Where the canary listens for one part of the route, and what else the run is given. */
interface Target {
  readonly spelling: Spelling;
  readonly more: readonly string[];
  /** The requests, or tunnels, that reached the canary. */
  readonly reached: () => number;
}

async function secureServer(): Promise<{ readonly url: string; readonly reached: () => number }> {
  let reached = 0;
  const https = createServer(server, (_request, response) => {
    reached += 1;
    json(response, 200, success, { connection: "close" });
  });
  await new Promise<void>((resolve) => https.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void https.close());
  return { url: `https://127.0.0.1:${(https.address() as AddressInfo).port}`, reached: () => reached };
}

const targets: Readonly<Record<keyof typeof routeParts, (place: Place) => Promise<Target>>> = {
  "base URL": async () => {
    const { port, connections } = await canary(acceptance);
    return { spelling: routeParts["base URL"](`http://127.0.0.1:${port}`), more: [], reached: connections };
  },
  proxy: async (place) => {
    const { port, connections } = await canary("HTTP/1.1 502 No\r\n\r\n");
    // The environment's proxy is never asked for a loopback address.
    const baseUrl = place.kind === "environment" ? "https://canary.invalid" : "https://127.0.0.1:1";
    const more = ["--base-url", baseUrl];
    return { spelling: routeParts.proxy(`http://127.0.0.1:${port}`), more, reached: connections };
  },
  "CA certificates": async () => {
    const { url, reached } = await secureServer();
    return { spelling: routeParts["CA certificates"](), more: ["--base-url", url], reached };
  },
};
const allowedCodes = { "base URL": 0, proxy: 7, "CA certificates": 0 } as const;

describe.each(Object.keys(targets) as (keyof typeof targets)[])("a credential and the %s:", (part) => {
  const pairs = Object.keys(credentials).flatMap((credential) =>
    places.flatMap((from) => places.map((to) => ({ credential, from, to }))),
  );

  test.each(
    pairs.map((pair) => ({
      ...pair,
      title: `${pair.credential} from ${describePlace(pair.from)}, ${part} from ${describePlace(pair.to)}`,
    })),
  )("$title", async ({ credential, from, to }) => {
    const { spelling, more, reached } = await targets[part](to);
    const values = [
      ...(credentials[credential] ?? []).map((one) => [one, from] as const),
      [spelling, to] as const,
    ];
    const { args, given } = arrangement(values, authority.cert);
    // A relative path as a flag or variable starts from the working directory.
    const run = await runInProcess(["test", ...more, ...args], given);

    // Of several rc files one is used, whole: what stands in the others is not set.
    const [isSet, routeIsSet] = [credentialCounts(from, from, to), counts(to, from, to)];
    const refused = isSet && routeIsSet && isYourCredential(credential, from) && !isYours(to);
    expect(leaks(run.everything)).toEqual([]);
    if (!isSet || refused || (part === "base URL" && !routeIsSet)) {
      expect(run, run.everything).toMatchObject({ exitCode: 3, stdout: "" });
      expect(reached()).toBe(0);
      const hint = `give ${spelling.flag} yourself, or name the file with --config ${given.workingFolder}`;
      if (refused) expect(run.stderr.replace(/\s+/g, " ")).toContain(hint);
    } else if (routeIsSet) {
      expect(run, run.everything).toMatchObject({ exitCode: allowedCodes[part] });
      expect(reached()).toBe(1);
    } else {
      expect(run.exitCode).toBe(7);
      expect(reached()).toBe(0);
    }
  });
});
