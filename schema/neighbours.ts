/** Words and forms of neighbouring tools, and what stands for them here. For messages only: nothing accepts them. */
import { optionNames } from "./enums";
import { rows } from "./rows";

const resourceSpec = "sourceConfig.resourceSpec";

/** Not from the manifest's schema, which the provider process need not load. */
const options = optionNames.map((name) => ["options", name]);
const nested = [...options, ...rows.map(({ path }) => path).filter(({ length }) => length > 1)];

/** Words of other tools, in lower case and without separators, and where their values belong, perhaps with the keys there. */
const places: Readonly<Record<string, string>> = {
  ...Object.fromEntries(nested.map((path) => [plain(path.at(-1)!), path.join(".")])),
  ...byWord([
    ["env envs envfile envvars environment environmentvariables variables vars", "secrets"],
    ["image dockerimage containerimage container", "sourceRevisionConfig.imageUri"],
    ["replicas replicacount instances scale scaling autoscaling", `${resourceSpec}.minScale and maxScale`],
    ["minreplicas mininstances minscale", `${resourceSpec}.minScale`],
    ["maxreplicas maxinstances maxscale", `${resourceSpec}.maxScale`],
    ["memory mem ram", `${resourceSpec}.memoryMb`],
    ["cpus", `${resourceSpec}.cpu`],
    ["resources deploy", resourceSpec],
    ["repo repository git github", "sourceConfig.repoUrl"],
    ["branch ref commit", "sourceRevisionConfig.repoRef"],
    ["build directory folder context path", "sourceDirectory"],
    ["healthcheck health livenessprobe readinessprobe", "ready"],
  ]),
};

/** Sources by the words of other tools, and by the source of a revision. */
const sources: Readonly<Record<string, string>> = byWord([
  ["github gitlab bitbucket git repo repository", "codehost"],
  ["external_docker docker image container", "external_container"],
  ["internal_docker", "internal_container"],
  ["folder directory local upload source", "internal_source"],
  ["template", "internal_template"],
]);

/** An object that accepts one of these keys is one for which `places` gives hints. */
const homes = ["sourceConfig", "repoUrl", "imageUri", "cpu", "deployments", "protect"];

function byWord(pairs: readonly (readonly [words: string, meant: string])[]): Record<string, string> {
  return Object.fromEntries(pairs.flatMap(([words, meant]) => words.split(" ").map((word) => [word, meant])));
}

function plain(key: string): string {
  return key.toLowerCase().replace(/[-_\s]/g, "");
}

/** Where the value of a misplaced key, or of another tool's key, belongs. A spelling of an accepted key has no place. */
export function placeFor(key: string, accepted: readonly string[]): string | undefined {
  const word = plain(key);
  const isHome = homes.some((home) => accepted.includes(home));
  const isSpelling = accepted.some((each) => plain(each) === word);
  return isHome && !isSpelling && Object.hasOwn(places, word) ? places[word] : undefined;
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
