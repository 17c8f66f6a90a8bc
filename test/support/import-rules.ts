/** What the modules of a room may import of the project, besides their own room. */
export interface ImportRule {
  readonly from: RegExp;
  readonly to: RegExp;
  readonly because: string;
}

/** The rule of each room, with its reason. The first rule that matches a module is its own. */
export const importRules: readonly ImportRule[] = [
  {
    from: /^bin\//,
    to: /^src\/(?:app|system\/context)\.ts$/,
    because: "bin turns arguments into an exit code",
  },
  {
    from: /^src\/index\.ts$/,
    to: /^src\/library\/|^src\/(?:check\/outcome|http\/(?:exchange|failure)|wsse\/(?:authorization|digest)|exit-codes|errors)\.ts$/,
    because: "index.ts lists the public interface, and no command belongs to it",
  },
  {
    from: /^src\/library\//,
    to: /^src\/(?:check|wsse|settings|redaction)\/|^src\/emulator\/(?:accounts|emulator|received|values)\.ts$|^src\/errors\.ts$/,
    because: "the library makes checks by the same code as the commands, without the command line",
  },
  {
    from: /^src\/app\.ts$/,
    to: /^src\/(?:[a-z-]+\.ts|commands\/|system\/context\.ts|report\/run-error\.ts)/,
    because: "the program consists of commands; it judges and sends nothing itself",
  },
  {
    from: /^src\/commands\//,
    to: /^src\/(?:[a-z-]+\.ts|(?:system|settings|accounts|check|report|emulator|completion|redaction)\/|wsse\/(?:authorization|digest)\.ts)/,
    because: "commands connect the rooms; they do not know HTTP",
  },
  {
    from: /^src\/(?:accounts|settings)\//,
    to: /^src\/(?:settings\/|system\/|wsse\/|redaction\/|errors\.ts$)/,
    because: "settings do not know what they are used for",
  },
  {
    from: /^src\/check\//,
    to: /^src\/(?:wsse|http|settings|redaction)\/|^src\/(?:errors|describe-error)\.ts$/,
    because: "a check is made of settings, credentials and HTTP exchanges; it knows no command and no report",
  },
  { from: /^src\/wsse\//, to: /^$/, because: "the digest is pure" },
  {
    from: /^src\/http\//,
    to: /^src\/system\/(?:error-code|loopback)\.ts$/,
    because: "HTTP knows no credential and no verdict",
  },
  {
    from: /^src\/report\//,
    to: /^src\/(?:check\/(?:failure|observer|outcome)|settings\/(?:overview|source)|system\/(?:context|file-reading|spool|streams)|exit-codes|errors)\.ts$/,
    because: "a report shows results and takes no part in finding them",
  },
  {
    from: /^src\/completion\//,
    to: /^src\/(?:errors|system\/context|settings\/(?:run-settings|profiles|table)|report\/escape)\.ts$/,
    because: "completion knows the declared options and the names of profiles, and nothing else",
  },
  {
    from: /^src\/emulator\//,
    to: /^src\/(?:errors|system\/[a-z-]+|report\/escape|redaction\/redact)\.ts$|^src\/wsse\//,
    because: "the emulator is the other side: if it shared more than the digest, it would prove nothing",
  },
  {
    from: /^src\/system\//,
    to: /^src\/errors\.ts$/,
    because: "every room depends on system, so system depends on none",
  },
  {
    from: /^src\/exit-codes\.ts$/,
    to: /^src\/(?:check\/outcome|errors)\.ts$/,
    because: "exit codes are a table of outcomes and errors",
  },
  {
    from: /^src\/redaction\//,
    to: /^$/,
    because: "hiding a secret in a text needs the text and the secret alone",
  },
  {
    from: /^src\/describe-error\.ts$/,
    to: /^src\/(?:errors|version)\.ts$/,
    because: "an error is described by its class and place",
  },
  { from: /^src\/errors\.ts$/, to: /^$/, because: "every room throws errors, so they depend on none" },
  { from: /^src\/version\.ts$/, to: /^package\.json$/, because: "the version stands in package.json alone" },
];
