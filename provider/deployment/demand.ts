/** What a deployment takes to run, as far as its arguments say. Nothing is guessed, and there are no prices. */
import { isBelowUnknown, isWithin, unknownValue, valueAt, type Path, type Values } from "../../schema/tree";
import type { Dialect, Scaling } from "../dialects";

/** A bound is undefined if it is not known; `least` then counts what is. */
export interface Range {
  readonly least: number | undefined;
  readonly most: number | undefined;
}

export interface Demand {
  /** Cores. */
  readonly cpu: Range;
  /** MB. */
  readonly memory: Range;
  readonly scaling: Scaling | undefined;
  readonly tier: string | undefined;
  /** The components that are counted: `agent`, `queue`. */
  readonly parts: readonly string[];
}

type Size = Pick<Demand, "cpu" | "memory">;

/** Components that have one replica. */
const single = ["executor", "core", "redis", "db"] as const;

/**
 * @param isNew the service creates it, and chooses a type if none is declared
 * @param secretPaths of arguments that the program passed as secrets: they count as not known
 */
export function demandOf(
  args: Values,
  dialect: Dialect,
  isNew: boolean,
  secretPaths: readonly Path[] = [],
): Demand {
  const config = (...path: string[]): unknown => {
    const full = ["sourceConfig", ...path];
    const isHidden = isBelowUnknown(args, full) || secretPaths.some((each) => isWithin(full, each));
    return isHidden ? unknownValue : valueAt(args, full);
  };
  const spec = (name: string) => config("resourceSpec", name);
  const total = (unit: "Cpu" | "MemoryMb"): Range => {
    const own = spec(unit === "Cpu" ? "cpu" : "memoryMb");
    const min = spec("minScale");
    const max = spec("maxScale");
    const orchestrator = spec(`orchestrator${unit}`);
    const others = single.flatMap((name) => spec(`${name}${unit}`) ?? []);
    return sumOfRanges([
      replicas(min, max, own),
      replicas(spec("queueMinScale") ?? min, spec("queueMaxScale") ?? max, spec(`queue${unit}`) ?? own),
      ...(orchestrator === undefined
        ? []
        : [replicas(spec("orchestratorMinScale"), spec("orchestratorMaxScale"), orchestrator)]),
      ...others.map((each) => replicas(1, 1, each)),
    ]);
  };
  const isSized = (prefix: string) =>
    ["Cpu", "MemoryMb"].some((unit) => spec(`${prefix}${unit}`) !== undefined);
  const agent = [spec("cpu"), spec("memoryMb")].some((each) => each !== undefined) ? ["agent", "queue"] : [];
  const type = config("deploymentType") ?? (isNew ? typeOfNew(args, dialect) : undefined);
  const tier = config("deploymentTier");
  return {
    cpu: total("Cpu"),
    memory: total("MemoryMb"),
    scaling:
      typeof type === "string" && Object.hasOwn(dialect.scaling, type) ? dialect.scaling[type] : undefined,
    tier: typeof tier === "string" ? tier : undefined,
    parts: [...new Set([...agent, ...["queue", "orchestrator", ...single].filter(isSized)])],
  };
}

/** The type that the service gives to a new deployment which declares none. */
function typeOfNew(args: Values, { usualType, sourcesOf }: Dialect): string | undefined {
  const { source } = args;
  const accepting = sourcesOf["sourceConfig.deploymentType"];
  return typeof source === "string" && accepting?.includes(source) !== false ? usualType : undefined;
}

/** Whether a new deployment always runs only because its type is not declared. */
export function runsByDefault(args: Values, dialect: Dialect): boolean {
  const [declared, usual] = [false, true].map((isNew) => demandOf(args, dialect, isNew).scaling);
  return declared === undefined && usual === "always";
}

function replicas(min: unknown, max: unknown, each: unknown): Range {
  const [low, high, unit] = [min, max, each].map((value) => (typeof value === "number" ? value : undefined));
  if (unit === undefined || (low !== undefined && high !== undefined && low > high)) return nothing;
  return { least: low === undefined ? low : low * unit, most: high === undefined ? high : high * unit };
}

const nothing: Range = { least: undefined, most: undefined };

function sumOfRanges(ranges: readonly Range[]): Range {
  const leasts = ranges.flatMap(({ least }) => least ?? []);
  const mosts = ranges.flatMap(({ most }) => most ?? []);
  const most = mosts.length === ranges.length && ranges.length > 0 ? add(mosts) : undefined;
  // A part of the lower bounds is a lower bound too, but says nothing next to the upper one.
  const isUsed = leasts.length === ranges.length || most === undefined;
  return { least: isUsed && leasts.length > 0 ? add(leasts) : undefined, most };
}

function add(numbers: readonly number[]): number {
  return numbers.reduce((sum, each) => sum + each, 0);
}

/** What several deployments take together, without their types and tiers. */
export function sumOfDemands(demands: readonly Demand[]): Size {
  return {
    cpu: sumOfRanges(demands.map(({ cpu }) => cpu)),
    memory: sumOfRanges(demands.map(({ memory }) => memory)),
  };
}

const scalingWords: Readonly<Record<Scaling, { readonly now: string; readonly before: string }>> = {
  always: { now: "always runs", before: "always running" },
  "to zero": { now: "scales to zero", before: "scaling to zero" },
};

/** `takes 2 to 6 vCPU, 4 to 12 GiB; was 1 to 3, 2 to 6 (agent and queue)`; undefined if nothing is known. */
export function demandText(now: Demand, before?: Demand): string | undefined {
  const size = sizeText(now, before);
  const text = [
    scalingText(now, before),
    size && `takes ${size} (${now.parts.join(", ").replace(/, (?=[^,]*$)/, " and ")})`,
  ]
    .filter(Boolean)
    .join("; ");
  return text === "" ? undefined : text;
}

/** The tier stands next to what it is a size of. */
function scalingText(now: Demand, before: Demand | undefined): string | undefined {
  if (now.scaling === undefined) return undefined;
  const text = [scalingWords[now.scaling].now, now.tier].filter(Boolean).join(", ");
  const formerScaling = before?.scaling === now.scaling ? undefined : before?.scaling;
  const isSameTier = before?.tier === now.tier && formerScaling === undefined;
  const former = [formerScaling && scalingWords[formerScaling].before, isSameTier ? undefined : before?.tier];
  const was = former.filter(Boolean).join(", ");
  return was === "" ? text : `${text}; was ${was}`;
}

/** `2 to 6 vCPU, 4 to 12 GiB; was 1 to 3, 2 to 6` */
export function sizeText(now: Size, before?: Size): string | undefined {
  const [after, former] = [sizesOf(now), before === undefined ? [] : sizesOf(before)];
  const [text, was] = [after, former].map((sizes) =>
    sizes.map(({ range, unit }) => `${range} ${unit}`).join(", "),
  );
  if (text === "" || was === "" || was === text) return text || undefined;
  const isShort = after.length === 2 && former.length === 2;
  return `${text}; was ${isShort ? former.map(({ range }) => range).join(", ") : was}`;
}

/** Those that are known. */
function sizesOf({ cpu, memory }: Size) {
  const all = [
    { range: rangeText(cpu, 1), unit: "vCPU" },
    { range: rangeText(memory, 1024), unit: "GiB" },
  ];
  return all.filter(({ range }) => range !== undefined);
}

function rangeText({ least, most }: Range, divisor: number): string | undefined {
  const [low, high] = [least, most].map((bound) => bound && Number((bound / divisor).toFixed(2)));
  if (low === undefined) return high === undefined ? undefined : `up to ${high}`;
  if (high === undefined) return low === 0 ? undefined : `at least ${low}`;
  return low === high ? `${low}` : `${low} to ${high}`;
}
