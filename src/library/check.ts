import { checkCredential } from "../check/check.ts";
import { contextOfRun } from "../check/check-context.ts";
import type { ClockAndRandom } from "../check/credential.ts";
import type { CheckResult } from "../check/outcome.ts";
import { prepareChecks } from "../check/prepare.ts";
import type { Inputs } from "../settings/inputs.ts";
import { endedBy, pause } from "./abort.ts";
import type { CheckOptions } from "./check-options.ts";
import { booleanOption, fieldsOf, signalOption } from "./option-values.ts";
import { checkOptions, credentialOptions, settingsOfOptions } from "./options.ts";

const namesNoFile = (): Promise<never> => Promise.reject(new Error("an option names no file"));
const noInputs: Inputs = { read: namesNoFile, certificates: namesNoFile };

/** Makes the check that the options describe. Rejects with InputError, or with the reason of the signal. */
export async function checkWith(given: CheckOptions, clockAndRandom: ClockAndRandom): Promise<CheckResult> {
  // Read each option once, so that the value that was checked is the value that is used.
  const { credential, insecureHttp, signal: givenSignal, ...rest } = fieldsOf("options", given);
  const { method, settings } = credentialOptions(credential);
  const signal = signalOption("signal", givenSignal);
  const [check] = await prepareChecks(settingsOfOptions([...checkOptions(rest), ...settings]), noInputs, {
    selection: { token: method === "token", wsse: method === "wsse" },
    insecureHttp: booleanOption("insecureHttp", insecureHttp),
    // Further requests may count as failed logins, so only the command line offers them.
    diagnose: false,
  });
  if (check === undefined) throw new Error("the method has no check");
  const silent = async (): Promise<void> => {};
  const observer = { announce: silent, observed: silent, mayDiagnose: async () => false };
  return endedBy(signal, (interrupted) => {
    const wait = (milliseconds: number): Promise<void> => pause(milliseconds, interrupted);
    return checkCredential(check, contextOfRun({ ...clockAndRandom, wait, interrupted }), observer);
  });
}
