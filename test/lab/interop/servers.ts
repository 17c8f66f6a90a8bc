import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { authorityCertificate, trusted } from "../../faults/authority.ts";
import { folderWith } from "../../support/folder.ts";
import { startProgram } from "./program.ts";

// As root, nginx would give up the right to write to its own folder.
const isRoot = process.getuid?.() === 0;

/** What a configuration names: the folder of the server, which holds `server.pem`, `server.key` and `ca.pem`, and its port. */
export interface Place {
  readonly folder: string;
  readonly port: number;
}

/** Starts a program of a Debian package with a configuration file, until the test is finished; gives its port. */
async function start(
  configuration: (place: Place) => string,
  command: (file: string, place: Place) => readonly [string, ...string[]],
): Promise<number> {
  const folder = folderWith({
    "server.pem": trusted.cert,
    "server.key": trusted.key,
    "ca.pem": authorityCertificate,
  });
  // Servers that root starts give up its rights.
  chmodSync(folder, 0o777);
  const file = join(folder, "configuration");
  const { port, stop } = await startProgram((free) => {
    const place = { folder, port: free };
    writeFileSync(file, configuration(place));
    return command(file, place);
  });
  onTestFinished(stop);
  return port;
}

/** TLS for a server of nginx. */
export const nginxTls = ({ folder }: Place): string =>
  `ssl_certificate ${folder}/server.pem; ssl_certificate_key ${folder}/server.key;`;

/** TLS for Apache. */
export const apacheTls = ({ folder }: Place): string =>
  `SSLEngine on\nSSLCertificateFile ${folder}/server.pem\nSSLCertificateKeyFile ${folder}/server.key\n`;

/** nginx with one server: the parameters of its `listen`, its directives, and those beside the server. */
export function nginx(
  directives: (place: Place) => string,
  { listen = "", beside = () => "" }: { listen?: string; beside?: (place: Place) => string } = {},
): Promise<number> {
  const parts = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
  const temporary = ({ folder }: Place): string =>
    parts.map((name) => `${name}_temp_path ${folder}/${name};`).join(" ");
  return start(
    (place) => `
      ${isRoot ? "user root;" : ""} daemon off; pid ${place.folder}/pid; error_log stderr; events {}
      http { access_log off; ${temporary(place)} ${beside(place)}
        server { listen 127.0.0.1:${place.port} ${listen}; ${directives(place)} } }`,
    (file, { folder }) => ["/usr/sbin/nginx", "-p", folder, "-e", "stderr", "-c", file],
  );
}

/** Apache with these directives. */
export function apache(directives: (place: Place) => string): Promise<number> {
  const modules = ["mpm_event", "ssl", "authz_core"];
  return start(
    (place) => `
      ServerName localhost
      PidFile ${place.folder}/pid
      ErrorLog /dev/null
      Mutex file:${place.folder} default
      User nobody
      Group nogroup
      ${modules.map((name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`).join("\n")}
      Listen 127.0.0.1:${place.port}
      DocumentRoot ${place.folder}
      ${directives(place)}`,
    (file, { folder }) => ["/usr/sbin/apache2", "-d", folder, "-f", file, "-DFOREGROUND"],
  );
}

/** Squid with these rules of access. */
export function squid(rules: (place: Place) => string): Promise<number> {
  return start(
    (place) => `
      http_port 127.0.0.1:${place.port}
      pid_filename none
      cache_log /dev/null
      access_log none
      cache deny all
      coredump_dir ${place.folder}
      netdb_filename none
      pinger_enable off
      shutdown_lifetime 0 seconds
      visible_hostname squid.test
      forward_max_tries 1
      ${rules(place)}`,
    (file) => ["/usr/sbin/squid", "-N", "-f", file],
  );
}

/** Tinyproxy, which connects anywhere unless these lines forbid it. */
export function tinyproxy(lines = ""): Promise<number> {
  return start(
    ({ port }) => `Port ${port}\nListen 127.0.0.1\nAllow 127.0.0.1\nTimeout 30\nMaxClients 20\n${lines}\n`,
    (file) => ["/usr/bin/tinyproxy", "-d", "-c", file],
  );
}

/** Varnish before a base URL, which caches whatever this VCL says. */
export function varnish(target: string, vcl: string): Promise<number> {
  const { hostname, port } = new URL(target);
  return start(
    () => `vcl 4.1; backend default { .host = "${hostname}"; .port = "${port}"; }\n${vcl}`,
    (file, { folder, port: own }) => {
      const options = ["-F", "-n", join(folder, "varnish"), "-f", file, "-a", `127.0.0.1:${own}`];
      return ["/usr/sbin/varnishd", ...options];
    },
  );
}
