/** Checks the rules between fields and those of the service, the same that a preview checks. */
import { sources } from "../../schema/enums";
import { ManifestDeployment } from "../../schema/manifest";
import { movingTag } from "../../schema/images";
import { placeFor } from "../../schema/neighbours";
import { doubtsOf, rulesOf } from "../../schema/rules";
import { dialectAt, dialects, type Dialect } from "../dialects";
import { findingsOf, reasonText } from "../dialects/service-rules";
import { serviceWord, withWords } from "../dialects/words";
import { mapLeaves, unknownValue, type Path, type Values, formatPath, valueAt } from "../../schema/tree";
import { nearest } from "../../schema/wording";
import type { ViewCheck } from "./view-check";
import type { Layered } from "./layers";
import { entriesOf, entryAt, stringValue, nodeAt, type Node, type Span } from "./node";
import { textWithBindings, type Bindings } from "./bindings";
import type { ProblemDetails, Problems, Rule } from "./problem";
import { parseText } from "./reference";
import { knownValues, valueFromNode } from "./values";

/** The rules of every service. */
const anyService: Dialect = { ...dialects["standard"]!, conflicts: [] };

/** What a deployment breaks, and the part of it that shows this. */
interface Broken extends Required<Pick<ProblemDetails, "severity" | "identity">> {
  readonly path: Path;
  readonly part: "key" | "value" | "missing";
  /** Whether the value is wrong by itself, not only together with others. */
  readonly isWrongAlone: boolean;
  readonly rule: Rule;
  readonly message: string;
}

/** @param dialect undefined if the service is not known */
export function checkRules(
  { layers, deployments, known, report }: ViewCheck,
  dialect: Dialect | undefined,
): void {
  const rules = dialect ?? anyService;
  for (const deployment of deployments) {
    const { key, node, upper } = deployment;
    const lower = upper && layers.base.deployments.get(key)?.node;
    const before =
      lower === undefined ? [] : brokenIn(key, lower, known, rules).map(({ identity }) => identity);
    for (const broken of brokenIn(key, node, known, rules)) {
      const { rule, message, severity, identity } = broken;
      const { at, inOverlay } = placeInLayers(broken, deployment);
      // What the lower layers have by themselves is shown there.
      const place = before.includes(identity) ? {} : { inOverlay };
      report(at, rule, message, { severity, identity, ...place });
    }
  }
}

function brokenIn(key: string, node: Node, known: Bindings, dialect: Dialect): Broken[] {
  if (node.kind !== "map") return [];
  // A preview follows. It knows which deployments exist, and some rules only apply to new ones.
  const isForStack = known.dialect?.is === "connection";
  const given = withWords(argumentsOf(key, node, known), serviceWord, dialect);
  const broken = rulesOf(given);
  const doubts = isForStack ? [] : [...doubtsOf(given), ...movingTag(given)];
  const mayExist = given["adopt"] === true || given["adopt"] === unknownValue;
  const findings = findingsOf(given, dialect, !mayExist, declaredIn(given)).filter(
    ({ kind, isOnlyForCreation, property, isWarning }) => {
      // Only the preview knows whether the deployment exists, and it repeats all warnings.
      const isOfPreview = isOnlyForCreation ? isWarning || isForStack : isWarning && isForStack;
      if (kind === "early" || isOfPreview) return false;
      if (broken.some(({ path }) => formatPath(path) === property)) return false;
      // An unknown key is reported with the field that it means.
      return valueAt(given, property.split(".")) !== undefined || !isMisspelt(property, node);
    },
  );
  return [
    ...broken.map(({ path, message, rule }) => {
      const text = `${formatPath(path)}: ${message}`;
      return rule === "format"
        ? { ...wrongValue(path, text), rule }
        : { ...wrongValue(path.slice(0, 1), text), rule, part: "key" as const, isWrongAlone: false };
    }),
    ...doubts.map(({ path, message }) => ({
      ...wrongValue(path, `${formatPath(path)} ${message}`),
      severity: "warning" as const,
    })),
    ...findings.map((finding): Broken => {
      const { kind, isOnlyForCreation, property, reason, isWarning } = finding;
      const hint = isOnlyForCreation && !isWarning ? "; use `adopt: true` to take over an existing one" : "";
      return {
        ...wrongValue(property.split("."), `${property} ${reasonText(finding)}${hint}`),
        part: kind === "value" || kind === "missing" ? kind : "key",
        isWrongAlone: property === "name",
        rule: "dialect",
        severity: isWarning ? "warning" : "error",
        identity: `${property} ${reason}`,
      };
    }),
  ];
}

function wrongValue(path: Path, message: string): Broken {
  return {
    ...{ path, message, identity: message, part: "value", isWrongAlone: true },
    ...{ rule: "fields", severity: "error" },
  };
}

/** Whether a key that is not accepted means the field. */
function isMisspelt(property: string, deployment: Node): boolean {
  const [home, field] = property.split(".") as [string, string?];
  const keysIn = (node: Node | undefined) => [...entriesOf(node).keys()];
  const inside = keysIn(nodeAt(deployment, home)).filter((key) => key !== field);
  return (
    [...keysIn(deployment), ...inside].some((key) => placeFor(key, ["sourceConfig"]) === property) ||
    (field === undefined ? keysIn(deployment) : inside).some(
      (key) => nearest(key, [field ?? home]) !== undefined,
    )
  );
}

/** The key or the value at a path; the deployment's key if there is none. */
function placeInLayers(
  { path, part, isWrongAlone }: Broken,
  { node, upper, at, below = at }: Layered,
): { readonly at: Span; readonly inOverlay?: Span } {
  const spanIn = (value: Node) => {
    const entry = entryAt({ key: below, value }, path);
    return part === "value" ? entry?.value.at : entry?.key;
  };
  const own = spanIn(node);
  if (upper === undefined || (isWrongAlone && own !== undefined)) return { at: own ?? below };
  const source = part === "missing" ? undefined : nodeAt(upper, "source")?.at;
  return { at: own ?? below, inOverlay: spanIn(upper) ?? source ?? at };
}

/** The resource's arguments, as far as the file determines them. */
function argumentsOf(key: string, node: Node, known: Bindings): Values {
  const given = valueFromNode(node, ManifestDeployment, knownValues(withoutSecrets(known))) as Values;
  const source = sources.find((each) => each === given["source"]);
  return { ...given, name: given["name"] ?? key, source };
}

/** Secrets count as unknown, because messages quote values. */
function withoutSecrets({ config, ...rest }: Bindings): Bindings {
  return {
    ...rest,
    config: (key) => {
      const value = config?.(key);
      return value?.isSecret ? undefined : value;
    },
  };
}

/** A string counts as declared, whatever its references resolve to. */
function declaredIn({ revisionSource, ...given }: Values): Values {
  const declared = mapLeaves(given, (leaf) => (leaf === unknownValue ? "" : leaf));
  return { ...(declared as Values), revisionSource };
}

/** The dialect whose rules apply; undefined if none is given, or an unknown one. */
export function dialectOf(root: Node, known: Bindings, problems: Problems): Dialect | undefined {
  const given = known.dialect;
  const node = nodeAt(root, "dialect");
  const declared = nameIn(node, known);
  if (given?.is === "connection" && declared !== undefined && declared !== given.name) {
    const message =
      `dialect: the file is for dialect ${declared}, but the stack's connection uses ${given.name}; ` +
      `run \`pulumi config set deployment-service:dialect ${declared}\`, or change the file`;
    problems.add(node!.at, "dialect", message);
    return undefined;
  }
  const name = given?.is === "chosen" ? given.name : (declared ?? given?.name);
  if (name === undefined || !Object.hasOwn(dialects, name)) return undefined;
  if (given?.baseUrl === undefined) return dialects[name];
  return dialectAt(dialects[name]!, given.baseUrl, given.dashboard);
}

/** The file's dialect; undefined if it mentions none, or an unknown one. */
function nameIn(node: Node | undefined, known: Bindings): string | undefined {
  const name = textWithBindings(parseText(stringValue(node) ?? "").parts, known);
  return name !== undefined && Object.hasOwn(dialects, name) ? name : undefined;
}
