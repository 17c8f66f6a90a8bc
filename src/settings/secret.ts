import { inspect } from "node:util";
import { masked } from "../redaction/redact.ts";

/**
 * A credential that cannot be printed by accident: its string, JSON and inspect forms are masked. Call `reveal` only to
 * build a header, or to examine or redact the text.
 */
export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  /** The credential itself. */
  reveal(): string {
    return this.#value;
  }

  toString(): string {
    return masked;
  }

  toJSON(): string {
    return masked;
  }

  [inspect.custom](): string {
    return masked;
  }
}
