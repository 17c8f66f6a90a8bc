/** What the modules of a room may import of the project, besides their own room, and the reason. The first rule that matches counts. */
const rules: ReadonlyArray<readonly [from: RegExp, to: RegExp, because: string]> = [
  [/^bin\//, /^src\/(?:app|system\/(?:context|ending))\.ts$/, "bin turns arguments into an exit code"],
  [
    /^src\/index\.ts$/,
    /^src\/library\/|^src\/(?:check\/(?:outcome|result)|http\/failure|settings\/definition|wsse\/digest|exit-codes|errors)\.ts$/,
    "index.ts lists the public interface, and no command belongs to it",
  ],
  [
    /^src\/library\//,
    /^src\/(?:check|wsse|settings|redaction|options)\/|^src\/(?:emulator\/emulator|errors)\.ts$/,
    "the library makes checks by the same code as the commands, without the command line",
  ],
  [
    /^src\/app\.ts$/,
    /^src\/(?:[a-z-]+\.ts|commands\/|system\/context\.ts|report\/messages\.ts)/,
    "the program consists of commands; it judges and sends nothing itself",
  ],
  [
    /^src\/commands\//,
    /^src\/(?:[a-z-]+\.ts|(?:system|settings|run|check|report|emulator|options|redaction)\/|wsse\/(?:characters|digest)\.ts)/,
    "commands connect the rooms; they do not know HTTP",
  ],
  [
    /^src\/run\//,
    /^src\/(?:[a-z-]+\.ts|(?:system|settings|check|report|redaction)\/)/,
    "a run makes checks and reports them; no option of the command line is declared here",
  ],
  [
    /^src\/settings\//,
    /^src\/(?:settings\/|options\/|system\/|wsse\/|redaction\/|errors\.ts$)/,
    "settings do not know what they are used for",
  ],
  [
    /^src\/check\/read\//,
    /^src\/(?:http\/exchange|redaction\/[a-z]+|settings\/urls|check\/result)\.ts$/,
    "this room reads a response once and knows neither settings nor verdicts",
  ],
  [
    /^src\/check\/judge\.ts$/,
    /^src\/redaction\/|^src\/check\/(?:read\/|outcome\.ts$)/,
    "the judgement gets what was read, and neither settings nor what follows from a verdict",
  ],
  [
    /^src\/check\/causes\//,
    /^src\/(?:wsse|settings|redaction)\/|^src\/(?:words|system\/addresses)\.ts$|^src\/http\/(?!exchange\.ts)|^src\/check\/(?:read\/|(?!attempt|check\.|observer)[a-z-]+\.ts$)/,
    "a cause is read from the evidence, never from the raw response; it sends nothing",
  ],
  [
    /^src\/check\/diagnose\//,
    /^src\/(?:settings\/(?:definition|fix)|wsse\/digest|words)\.ts$|^src\/check\/(?:read\/|(?!attempt|check\.|observer)[a-z-]+\.ts$)/,
    "a diagnosis knows the sender, and neither the network, nor the time, nor the table of causes",
  ],
  [
    /^src\/check\/prepare\//,
    /^src\/(?:wsse|http|settings|redaction|errors\.ts$)|^src\/check\/(?:read|causes)\/|^src\/check\/[a-z-]+\.ts$/,
    "what prepares a check does not diagnose it",
  ],
  [
    /^src\/check\//,
    /^src\/(?:check|wsse|http|settings|redaction)\/|^src\/(?:errors|describe-error|words|system\/addresses)\.ts$/,
    "a check is made of settings, credentials and HTTP exchanges; it knows no command and no report",
  ],
  [/^src\/wsse\//, /^$/, "the digest is pure"],
  [
    /^src\/http\//,
    /^src\/(?:errors|redaction\/cut|system\/(?:addresses|file-reading|pem))\.ts$/,
    "HTTP knows no credential and no verdict",
  ],
  [
    /^src\/report\//,
    /^src\/(?:check\/(?:observer|outcome|result)|redaction\/(?:cut|escape)|settings\/(?:accounts-file|overview|source)|system\/(?:addresses|context|streams)|exit-codes|errors|version|words)\.ts$/,
    "a report shows results and takes no part in finding them",
  ],
  [
    /^src\/emulator\//,
    /^src\/(?:errors|words|system\/[a-z-]+|redaction\/(?:decode|escape|redact))\.ts$|^src\/(?:wsse|options)\//,
    "the emulator is the other side: if it shared more than the digest, it would prove nothing",
  ],
  [
    /^src\/options\//,
    /^src\/(?:errors|wsse\/(?:characters|placeholders))\.ts$/,
    "settings and options are read in one way, whatever they are for",
  ],
  [/^src\/system\//, /^src\/errors\.ts$/, "every room depends on system, so system depends on none"],
  [
    /^src\/exit-codes\.ts$/,
    /^src\/(?:check\/outcome|errors)\.ts$/,
    "exit codes are a table of outcomes and errors",
  ],
  [/^src\/redaction\//, /^$/, "hiding a secret in a text needs the text and the secret alone"],
  [
    /^src\/describe-error\.ts$/,
    /^src\/(?:errors|version)\.ts$/,
    "an error is described by its class and place",
  ],
  [/^src\/words\.ts$/, /^$/, "every room may need words for a number, so they depend on none"],
  [/^src\/errors\.ts$/, /^$/, "every room throws errors, so they depend on none"],
  [/^src\/version\.ts$/, /^package\.json$/, "the version stands in package.json alone"],
];

/** The rule of each room. */
export const importRules = rules.map(([from, to, because]) => ({ from, to, because }));
