import { installed, packageJsonIn } from "./project";

/** The Pulumi SDKs at the ends of the range that the package allows. The tests of the real engine use one in the middle. */
export const [lowest, newest] = ["pulumi-lowest", "pulumi-newest"] as const;

/** Each with a title. */
export const bothEnds = [lowest, newest].map((name) => {
  const { version, engines } = packageJsonIn(installed(name));
  const asked = Number(/\d+/.exec(engines.node)?.[0]);
  const present = Number(process.versions.node.split(".")[0]);
  const title = `SDK ${version}${present < asked ? `, asking for Node ${engines.node}, on ${process.version}` : ""}`;
  return [title, name] as const;
});
