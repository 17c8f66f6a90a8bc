/** A workflow command as GitHub's runner takes it from a line of output. */
export interface WorkflowCommand {
  readonly name: string;
  readonly properties: Readonly<Record<string, string>>;
  readonly data: string;
}

// In the order in which the runner undoes them, `%` last.
const dataEscapes = [
  ["%0D", "\r"],
  ["%0A", "\n"],
  ["%25", "%"],
] as const;
const propertyEscapes = [
  ["%0D", "\r"],
  ["%0A", "\n"],
  ["%3A", ":"],
  ["%2C", ","],
  ["%25", "%"],
] as const;

function undo(text: string, escapes: ReadonlyArray<readonly [string, string]>): string {
  return escapes.reduce((result, [escaped, plain]) => result.replaceAll(escaped, plain), text);
}

/**
 * What the runner makes of a line, by the rules of its ActionCommand.cs and of "Workflow commands for GitHub Actions":
 * `::name key=value,key=value::data`, behind white space too; null where it is text. Every name counts, known or not.
 */
export function parseCommand(line: string): WorkflowCommand | null {
  const text = line.trimStart();
  const end = text.indexOf("::", 2);
  if (!text.startsWith("::") || end < 0) return null;
  const [name = "", ...rest] = text.slice(2, end).split(" ");
  const pairs = rest.join(" ").trim().split(",").filter(Boolean);
  const properties = pairs.flatMap((pair) => {
    const [, key, value] = /^([^=]+)=(.+)$/s.exec(pair) ?? [];
    return key === undefined || value === undefined ? [] : [[key, undo(value, propertyEscapes)]];
  });
  return {
    name,
    properties: Object.fromEntries(properties),
    data: undo(text.slice(end + 2), dataEscapes),
  };
}

/** Whether the runner's older syntax, `##[name]`, is anywhere in a line. */
export const holdsOldCommand = (line: string): boolean => /##\[[^\]]*\]/.test(line);
