import { inspect } from "node:util";
import { masked } from "../redaction/redact.ts";

/**
 * A credential that cannot be printed by accident: its string, JSON and inspect forms are masked. `reveal` is called
 * where the header is built, and nowhere else.
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
