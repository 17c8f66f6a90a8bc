import { inspect } from "node:util";

const redacted = "[secret]";

/**
 * A credential that cannot be printed by accident: its string, JSON and inspect forms are redacted. `reveal` is called
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
    return redacted;
  }

  toJSON(): string {
    return redacted;
  }

  [inspect.custom](): string {
    return redacted;
  }
}
