import { installed, packageJsonIn } from "./project";

/** Titles and names of the Pulumi SDKs that the package is held to: the ends of the range that it allows, and the one it is developed with. */
export const sdks = ["pulumi-lowest", "@pulumi/pulumi", "pulumi-newest"].map((name) => {
  const { version, engines } = packageJsonIn(installed(name));
  const asked = Number(/\d+/.exec(engines.node)?.[0]);
  const present = Number(process.versions.node.split(".")[0]);
  const title = `SDK ${version}${present < asked ? `, asking for Node ${engines.node}, on ${process.version}` : ""}`;
  return [title, { name, version }] as const;
});
