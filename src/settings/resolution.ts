// `--resolve`: the address to connect to in place of looking a host up.

import { isIP } from "node:net";
import { type InputError, wrongSettings, wrongUsage } from "../errors.ts";
import { commandLine, faulty, type Invalid, readOption } from "../options/readers.ts";
import { hostAndPort, isLoopbackAddress } from "../system/addresses.ts";
import type { Settings } from "./resolve.ts";
import { describeSource } from "./source.ts";
import { canonicalHost, withoutDot } from "./urls.ts";

/** One `--resolve`, as curl's: the address to connect to for a host and a port, instead of looking the host up. */
export interface Resolution {
  /** `host:port` as a URL writes it. */
  readonly of: string;
  /** Without brackets. */
  readonly address: string;
  readonly loopback: boolean;
}

const example = "Write it like --resolve api.example.com:443:192.0.2.7";

const resolution = {
  parse(given: unknown): Resolution | Invalid {
    const text = String(given);
    const [, name = "", port = "", rest = ""] = /^(\[[^\]]*\]|[^:]*):(\d{1,5}):(.*)$/s.exec(text) ?? [];
    const host = canonicalHost(name);
    if (host === null || Number(port) < 1 || Number(port) > 65_535)
      return faulty("is not of the form host:port:address", example);
    const address = rest.replace(/^\[(.*)\]$/, "$1");
    if (isIP(address) === 0) {
      const isList = rest.includes(",");
      return faulty(`names ${isList ? "more than one address" : "no IP address"}`, `${example}: one address`);
    }
    const of = `${withoutDot(host)}:${Number(port)}`;
    return { of, address, loopback: isLoopbackAddress(address) };
  },
};

/** Reads `--resolve host:port:address` and adds it to those before it. Throws InputError. */
export function addResolution(text: string, known: readonly Resolution[] = []): readonly Resolution[] {
  const one = readOption(resolution, text, "--resolve", commandLine);
  if (known.some(({ of }) => of === one.of))
    throw wrongUsage(`--resolve is given twice for ${one.of}`, "Keep one of the two");
  return [...known, one];
}

/** The host and port of a URL, as `--resolve` has them. */
export const authorityOf = (url: URL): string => `${withoutDot(url.hostname)}:${hostAndPort(url).port}`;

/** The one of these that counts for a base URL; null if none does. */
export const resolutionOf = (resolutions: readonly Resolution[], baseUrl: URL): Resolution | null =>
  resolutions.find(({ of }) => of === authorityOf(baseUrl)) ?? null;

/** Finds out which of these no account uses. An account whose base URL is not known (its settings are null) may use any. */
export function unusedResolutions(resolutions: readonly Resolution[]) {
  let left = resolutions;
  const places = new Set<string>();
  return {
    usedBy(settings: Settings | null): void {
      if (left.length === 0) return;
      const baseUrl = settings?.get("baseUrl").value ?? null;
      const place = baseUrl && authorityOf(baseUrl.url);
      left = left.filter(({ of }) => place !== null && of !== place);
      if (place !== null && places.size < 3) places.add(place);
    },
    /** The error of one that no account uses; null if there is none. */
    error: (): InputError | null =>
      left[0] === undefined
        ? null
        : wrongUsage(
            `--resolve is given for ${left[0].of}, and no account uses this host and port`,
            `Write host and port as the base URL has them: ${[...places].join(", ")}`,
          ),
  };
}

/** The error of an account whose proxy would look the host up; null without a proxy. */
export function proxyResolves(settings: Settings, { of }: Resolution): InputError | null {
  const { given } = settings.get("proxy");
  return given === null
    ? null
    : wrongSettings(
        `--resolve names an address for ${of}, and the proxy (${describeSource(given.source)}) looks the host up itself`,
        "Leave out the proxy or --resolve; NO_PROXY excludes a host from the proxy of the environment",
      );
}
