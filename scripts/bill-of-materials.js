// The bill of materials of the executables, CycloneDX 1.6. `npm sbom` cannot make it: everything in the bundle is a
// development dependency, so it would list tools too, and it writes a new serial number each time.
import manifest from "../package.json" with { type: "json" };

/** @typedef {import("./bundled.js").Component} Component */

/**
 * A component. Code that a package embeds has no version and no integrity of its own.
 * @param {"application" | "library"} type
 * @param {Component & { description?: string }} component
 */
function component(type, { name, version, description, license, integrity, ...rest }) {
  const purl = rest.purl ?? `pkg:npm/${name.replace("@", "%40")}${version ? `@${version}` : ""}`;
  const content = integrity && Buffer.from(integrity.replace("sha512-", ""), "base64").toString("hex");
  return {
    type,
    "bom-ref": purl,
    name,
    ...(version && { version }),
    ...(description && { description }),
    licenses: [{ license: { id: license } }],
    ...(content && { hashes: [{ alg: "SHA-512", content }] }),
    purl,
  };
}

/**
 * The bill for these components, in the order given. It holds no time and no random number.
 * @param {readonly Component[]} components
 */
export function billOfMaterials(components) {
  const { name, version, description, license } = manifest;
  const subject = component("application", { name, version, description, license });
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
