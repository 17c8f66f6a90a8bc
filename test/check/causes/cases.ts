import type { RuleId } from "../../../src/check/outcome.ts";
import { connectionCases } from "./connection-cases.ts";
import { credentialCases } from "./credential-cases.ts";
import type { CauseCase } from "./exchanges.ts";
import { responseCases } from "./response-cases.ts";

/** A row for each finding that one exchange can show. */
export const causes = {
  ...connectionCases,
  ...credentialCases,
  ...responseCases,
} as const satisfies Record<RuleId, CauseCase>;
