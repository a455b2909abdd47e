/** Words and forms of neighbouring tools, and what stands for them here. For messages only: nothing accepts them. */
import { Options } from "./manifest";
import { rows } from "./rows";

const resourceSpec = "sourceConfig.resourceSpec";

const options = Object.keys(Options.shape).map((name) => ["options", name]);
const nested = [...options, ...rows.map(({ path }) => path).filter(({ length }) => length > 1)];

/** By key, in lower case and without separators: where the value belongs, perhaps with the keys there. */
const places: Readonly<Record<string, string>> = {
  ...Object.fromEntries(nested.map((path) => [plain(path.at(-1)!), path.join(".")])),
  ...sameFor("name", "app appname containername servicename"),
  ...sameFor(
    "secrets",
    "env envs envfile envvars envvariables environment environmentvariables variables vars",
  ),
  ...sameFor("secretReferences", "envfrom secretrefs secretkeyrefs"),
  ...sameFor("sourceRevisionConfig.imageUri", "image images dockerimage containerimage container imagename"),
  ...sameFor(
    `${resourceSpec}.minScale and maxScale`,
    "replicas replicacount desiredcount instances scale scaling autoscaling",
  ),
  ...sameFor(`${resourceSpec}.minScale`, "minreplicas mininstances minmachinesrunning minscale mincount"),
  ...sameFor(`${resourceSpec}.maxScale`, "maxreplicas maxinstances maxscale maxcount"),
  ...sameFor(`${resourceSpec}.memoryMb`, "memory mem ram memoryrequest"),
  ...sameFor(`${resourceSpec}.memoryLimitMb`, "memorylimit memlimit"),
  ...sameFor(`${resourceSpec}.cpu`, "cpus cpurequest"),
  ...sameFor(`${resourceSpec}: cpu, memoryMb, cpuLimit and memoryLimitMb`, "resources deploy vm"),
  ...sameFor(`${resourceSpec}: cpuLimit and memoryLimitMb`, "limits"),
  ...sameFor(`${resourceSpec}: cpu and memoryMb`, "requests reservations"),
  ...sameFor("sourceConfig.repoUrl", "repo repository git github giturl"),
  ...sameFor("sourceRevisionConfig.repoRef", "branch ref gitref commit"),
  ...sameFor("sourceRevisionConfig.graphConfigPath", "langgraphconfigpath configpath configfile graphs"),
  ...sameFor("sourceConfig.deploymentTier", "tier size plan"),
  ...sameFor("sourceConfig.deploymentType", "type"),
  ...sameFor("sourceDirectory", "build directory folder context path"),
  ...sameFor(
    "ready",
    "healthcheck healthcheckpath healthchecks health livenessprobe readinessprobe startupprobe",
  ),
  ...sameFor("options.protect", "deletionprotection preventdestroy"),
  ...sameFor("options.customTimeouts", "timeouts"),
  ...sameFor("options", "lifecycle"),
  ...sameFor("deployments", "services apps applications"),
  ...sameFor("stacks", "environments stages"),
  ...sameFor(
    "no key for this, which the service does itself",
    "restart restartpolicy ports port containerport expose",
  ),
};

/** By source, or by the source of a revision. */
const sources: Readonly<Record<string, string>> = {
  ...sameFor("codehost", "github gitlab bitbucket git repo repository"),
  ...sameFor("external_container", "external_docker docker image container"),
  ...sameFor("internal_container", "internal_docker"),
  ...sameFor("internal_source", "folder directory local upload source"),
  ...sameFor("internal_template", "template"),
};

/** An object that accepts one of these keys is one for which `places` gives hints. */
const homes = ["sourceConfig", "repoUrl", "imageUri", "cpu", "deployments", "protect"];

function sameFor(meant: string, words: string): Record<string, string> {
  return Object.fromEntries(words.split(" ").map((word) => [word, meant]));
}

function plain(key: string): string {
  return key.toLowerCase().replace(/[-_\s]/g, "");
}

/** Where the value of a misplaced key, or of another tool's key, belongs. A spelling of an accepted key has no place. */
export function placeFor(key: string, accepted: readonly string[]): string | undefined {
  const word = plain(key);
  const isHome = homes.some((home) => accepted.includes(home));
  if (!isHome || !Object.hasOwn(places, word) || accepted.some((each) => plain(each) === word))
    return undefined;
  const isOfManifest = ["deployments", "stacks"].includes(places[word]!);
  return isOfManifest && !accepted.includes("deployments") ? undefined : places[word];
}

/** The path at the beginning of such a place. */
export function pathOfPlace(place: string): string[] {
  return /^[\w.]+/.exec(place)![0].split(".");
}

/** The accepted value that another tool's word means. */
export function valueFor(word: string, accepted: readonly string[]): string | undefined {
  const value = Object.hasOwn(sources, word.toLowerCase()) ? sources[word.toLowerCase()] : undefined;
  return value !== undefined && accepted.includes(value) ? value : undefined;
}

/** The number for a quantity in Kubernetes' form: `500m` cores are 0.5, `1Gi` of memory are 1024. */
export function numberFor(name: string, text: string): number | undefined {
  const [, digits = "", unit = ""] = /^(\d{1,9}(?:\.\d{1,9})?) ?(m|[kmgt]i?)b?$/i.exec(text.trim()) ?? [];
  if (digits === "") return undefined;
  if (/cpu/i.test(name)) return unit === "m" ? Number(digits) / 1000 : undefined;
  const units = "kmgt";
  const own = /Mb$/.test(name) ? "m" : /Gi$/.test(name) ? "g" : undefined;
  if (own === undefined) return undefined;
  // In small letters, as Docker writes them, units are binary.
  const base = /^[KMGT]$/.test(unit) ? 1000 : 1024;
  return Math.ceil(
    Number(digits) * base ** (units.indexOf(unit.charAt(0).toLowerCase()) - units.indexOf(own)),
  );
}

/** How to write a map that stands as a list in other tools. */
export function mapFormFor(name: string): string {
  if (name === "secretReferences") return "{ NAME: { secretName, secretKey } }";
  if (name === "deployments" || name === "stacks") return "{ NAME: { … } }";
  return name === "secrets" ? "{ NAME: value }" : "{ KEY: value }";
}
