import { chmodSync, chownSync } from "node:fs";
import { join } from "node:path";
import { folderWith } from "../support/folder.ts";
import { planted } from "../support/planted.ts";

/** An rc file of root's with this content, as a Secret is mounted: for root and the group 2000 to read. */
export function secretWith(content: string, mode: number): string {
  const folder = folderWith({ "referralrc.yaml": content });
  chmodSync(folder, 0o755);
  const file = join(folder, "referralrc.yaml");
  chownSync(file, 0, 2000);
  chmodSync(file, mode);
  return file;
}

/** An rc file with one token. */
export const rcOf = (baseUrl: string): string => `baseUrl: ${baseUrl}\ntoken: "${planted.token}"\n`;
