// The bill of materials of the executables, CycloneDX 1.6. `npm sbom` cannot make it: all that is bundled is a
// development dependency, and it would list the tools that are not bundled as well, with a new serial number each time.
import manifest from "../package.json" with { type: "json" };

const purl = (name, version) => `pkg:npm/${name.replace("@", "%40")}@${version}`;

/** The bill for these packages of the registry, in the order given. It holds no time and no random number. */
export function billOfMaterials(packages) {
  const { name, version, description, license } = manifest;
  const components = packages.map((one) => ({
    type: "library",
    "bom-ref": purl(one.name, one.version),
    name: one.name,
    version: one.version,
    licenses: [{ license: { id: one.license } }],
    hashes: [
      {
        alg: "SHA-512",
        content: Buffer.from(one.integrity.replace("sha512-", ""), "base64").toString("hex"),
      },
    ],
    purl: purl(one.name, one.version),
  }));
  const subject = purl(name, version);
  return {
    $schema: "http://cyclonedx.org/schema/bom-1.6.schema.json",
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: {
      component: {
        type: "application",
        "bom-ref": subject,
        name,
        version,
        description,
        licenses: [{ license: { id: license } }],
        purl: subject,
      },
    },
    components,
    dependencies: [{ ref: subject, dependsOn: components.map(({ purl: ref }) => ref) }],
  };
}
