// `createChecker` and `checkCredentials`: the checks of the command line, with options in place of settings.

import { checkCredential } from "../check/check.ts";
import { contextOfRun } from "../check/check-context.ts";
import type { CheckObserver } from "../check/observer.ts";
import { checkClearText, prepareChecks } from "../check/prepare/prepare.ts";
import type { CheckResult } from "../check/result.ts";
import { booleanOption, fieldsNamed, signalOption } from "../options/readers.ts";
import type { Inputs } from "../settings/inputs.ts";
import { accountLevel, checkerFields, settingsOfChecker } from "./checker-options.ts";
import { credentialOptions, credentialShape } from "./credential-options.ts";
import type { CheckerOptions, CheckOptions, Credential, OneCheckOptions } from "./public-options.ts";
import { endedBy, pause, system } from "./system.ts";

/** Checks credentials of one API. Its checks share certificates, TLS sessions and name look-ups under way, and no more. */
export interface Checker {
  /**
   * Checks one credential with GET {baseUrl}/test-authentication and resolves with the result. A refused credential, an
   * unreachable server and a bug of this package (`failed`) are results too. The result contains no secret, even if the
   * server sends it back. Rejects with InputError if the credential is missing or invalid, and sends nothing then. Rejects with
   * the reason of the signal if it is aborted.
   */
  check(credential: Credential, options?: OneCheckOptions): Promise<CheckResult>;
}

const namesNoFile = () => Promise.reject(new Error("an option names no file"));
const noInputs: Inputs = { read: namesNoFile, certificates: namesNoFile };

const silent = async (): Promise<void> => {};
const observer: CheckObserver = {
  announceCost: silent,
  announce: silent,
  retrying: silent,
  limited: silent,
  observed: silent,
  mayDiagnose: async () => true,
};

/**
 * Makes a checker. Use one for many credentials: each check has a connection of its own, and the TLS sessions of earlier ones
 * are resumed. It holds no resource that would have to be closed. Throws InputError if an option is missing or invalid.
 *
 * @example
 * const checker = createChecker({ baseUrl: "https://api.example.com/v1" });
 * const results = await Promise.all(tokens.map((token) => checker.check({ method: "token", token })));
 * process.exitCode = combinedExitCode(results.map(({ outcome }) => outcome.kind));
 */
export function createChecker(options: CheckerOptions): Checker {
  const fields = fieldsNamed(
    checkerFields,
    "options",
    options,
    "createChecker({ baseUrl }), and give the credential to its check",
  );
  const settings = settingsOfChecker(fields);
  const insecureHttp = booleanOption("insecureHttp", fields.insecureHttp);
  // Each check looks at this again. But a service should not start with a base URL that every check refuses.
  checkClearText(settings, insecureHttp);
  const never = new AbortController().signal;
  const shared = contextOfRun({
    ...system,
    wait: (ms) => pause(ms, never),
    interrupted: never,
    maxWaitSeconds: settings.value("maxWaitSeconds"),
    turns: null,
  });
  return {
    async check(credential, given = {}) {
      const { method, given: parts } = credentialOptions("credential", credential);
      const { signal, diagnose } = fieldsNamed(
        ["signal", "diagnose"],
        "options",
        given,
        "check(credential, { signal, diagnose })",
      );
      const own = settings.of(null, accountLevel(method, parts));
      const [check] = await prepareChecks(own, noInputs, {
        selected: [method],
        insecureHttp,
        diagnose: booleanOption("diagnose", diagnose),
      });
      if (check === undefined) throw new Error("the method has no check");
      return endedBy(signalOption("signal", signal), async (interrupted) => {
        const wait = (ms: number): Promise<void> => pause(ms, interrupted);
        const own = { ...shared, wait, interrupted, anonymous: new Map() };
        // A copy has plain values: the advice in words.
        return { ...(await checkCredential(check, own, observer)) };
      });
    },
  };
}

/**
 * Makes one check, as `createChecker(options).check(credential)` does. For several credentials of one API, a checker takes less
 * processor time.
 *
 * @example
 * const { outcome } = await checkCredentials({
 *   baseUrl: "https://api.example.com/v1",
 *   credential: { method: "token", token },
 * });
 * process.exitCode = exitCodeOf[outcome.kind];
 */
export async function checkCredentials(options: CheckOptions): Promise<CheckResult> {
  const names = [...checkerFields, "credential", "signal", "diagnose"];
  const shape = `checkCredentials({ baseUrl, credential: ${credentialShape} })`;
  const { credential, signal, diagnose, ...rest } = fieldsNamed(names, "options", options, shape);
  const checker = createChecker(rest as unknown as CheckerOptions);
  return checker.check(credential as Credential, { signal, diagnose } as OneCheckOptions);
}
