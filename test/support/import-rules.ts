/**
 * What the modules of a room may import of the project, besides their own room. Each rule has two lines: the pattern of the room with
 * the reason, and the pattern of what it may import. The first rule that matches counts.
 */
const rules = String.raw`
^bin/: bin turns arguments into an exit code
  ^src/(?:app|system/(?:context|ending))\.ts$
^src/index\.ts$: index.ts lists the public interface, and no command belongs to it
  ^src/library/|^src/(?:check/(?:outcome|result)|http/failure|settings/definition|wsse/digest|exit-codes|errors)\.ts$
^src/library/: the library makes checks by the same code as the commands, without the command line
  ^src/(?:check|wsse|settings|redaction|options)/|^src/(?:emulator/emulator|errors)\.ts$
^src/app\.ts$: the program consists of commands; it judges and sends nothing itself
  ^src/(?:[a-z-]+\.ts|commands/|system/context\.ts|report/messages\.ts)
^src/commands/: commands connect the rooms; they do not know HTTP
  ^src/(?:[a-z-]+\.ts|(?:system|settings|run|check|report|emulator|options|redaction)/|wsse/(?:characters|digest)\.ts)
^src/run/: a run makes checks and reports them; no option of the command line is declared here
  ^src/(?:[a-z-]+\.ts|(?:system|settings|check|report|redaction)/)
^src/settings/: settings do not know what they are used for
  ^src/(?:settings/|options/|system/|wsse/|redaction/|errors\.ts$)
^src/check/read/: this room reads a response once and knows neither settings nor verdicts
  ^src/(?:http/exchange|redaction/[a-z]+|settings/urls|check/result)\.ts$
^src/check/judge\.ts$: the judgement gets what was read, and neither settings nor what follows from a verdict
  ^src/redaction/|^src/check/(?:read/|outcome\.ts$)
^src/check/causes/: a cause is read from the evidence, never from the raw response; it sends nothing
  ^src/(?:wsse|settings|redaction)/|^src/(?:words|system/addresses)\.ts$|^src/http/(?!exchange\.ts)|^src/check/(?:read/|(?!sender|check\.|observer)[a-z-]+\.ts$)
^src/check/diagnose/: a diagnosis knows the sender, and neither the network, nor the time, nor the table of causes
  ^src/(?:settings/(?:definition|fix)|wsse/digest|words)\.ts$|^src/check/(?:read/|(?!check\.|observer)[a-z-]+\.ts$)
^src/check/prepare/: what prepares a check does not diagnose it
  ^src/(?:wsse|http|settings|redaction|errors\.ts$)|^src/check/(?:read|causes)/|^src/check/[a-z-]+\.ts$
^src/check/: a check is made of settings, credentials and HTTP exchanges; it knows no command and no report
  ^src/(?:check|wsse|http|settings|redaction)/|^src/(?:errors|describe-error|words|system/addresses)\.ts$
^src/wsse/: the digest is pure
  ^$
^src/http/: HTTP knows no credential and no verdict
  ^src/(?:errors|redaction/cut|system/(?:addresses|file-reading|pem))\.ts$
^src/report/: a report shows results and takes no part in finding them
  ^src/(?:check/(?:observer|outcome|result)|redaction/(?:cut|escape)|settings/(?:accounts-file|overview|source)|system/(?:addresses|context|streams)|exit-codes|errors|version|words)\.ts$
^src/emulator/: the emulator is the other side: if it shared more than the digest, it would prove nothing
  ^src/(?:errors|words|system/[a-z-]+|redaction/(?:decode|escape|redact))\.ts$|^src/(?:wsse|options)/
^src/options/: settings and options are read in one way, whatever they are for
  ^src/(?:errors|wsse/(?:characters|placeholders))\.ts$
^src/system/: every room depends on system, so system depends on none
  ^src/errors\.ts$
^src/exit-codes\.ts$: exit codes are a table of outcomes and errors
  ^src/(?:check/outcome|errors)\.ts$
^src/redaction/: hiding a secret in a text needs the text and the secret alone
  ^$
^src/describe-error\.ts$: an error is described by its class and place
  ^src/(?:errors|version)\.ts$
^src/words\.ts$: every room may need words for a number, so they depend on none
  ^$
^src/errors\.ts$: every room throws errors, so they depend on none
  ^$
^src/version\.ts$: the version stands in package.json alone
  ^package\.json$
`;

/** The rule of each room. */
export const importRules = [...rules.matchAll(/^(\S+): (.*)\n {2}(.*)$/gm)].map(
  ([, from = "", because = "", to = ""]) => ({
    from: new RegExp(from),
    to: new RegExp(to),
    because,
  }),
);
