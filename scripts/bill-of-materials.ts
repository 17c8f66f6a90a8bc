// The bill of materials of the executables, CycloneDX 1.6. `npm sbom` cannot make it: everything in the bundle is a
// development dependency, so it would list tools too, and it writes a new serial number each time.
import manifest from "../package.json" with { type: "json" };
import type { Component } from "./bundled.ts";

function component(type: "application" | "library", one: Component & { description?: string }) {
  const { name, version, description, license, integrity } = one;
  const purl = one.purl ?? `pkg:npm/${name.replace("@", "%40")}${version ? `@${version}` : ""}`;
  const content = integrity && Buffer.from(integrity.replace("sha512-", ""), "base64").toString("hex");
  return {
    type,
    "bom-ref": purl,
    name,
    version,
    description,
    licenses: [{ license: { id: license } }],
    hashes: content ? [{ alg: "SHA-512", content }] : undefined,
    purl,
  };
}

/** The bill for these components, in the order given. It holds no time and no random number. */
export function billOfMaterials(components: readonly Component[]) {
  const subject = component("application", manifest);
  const parts = components.map((one) => component("library", one));
  return {
    $schema: "http://cyclonedx.org/schema/bom-1.6.schema.json",
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: { component: subject },
    components: parts,
    dependencies: [{ ref: subject.purl, dependsOn: parts.map(({ purl }) => purl) }],
  };
}
