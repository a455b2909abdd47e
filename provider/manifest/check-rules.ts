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
import type { Problems } from "./problem";
import { parseText } from "./reference";
import { knownValues, valueFromNode } from "./values";

/** The rules of every service. */
const anyService: Dialect = { ...dialects["standard"]!, conflicts: [] };

/** @param dialect undefined if the service is not known */
export function checkRules({ deployments, known, report }: ViewCheck, dialect: Dialect | undefined): void {
  const rules = dialect ?? anyService;
  // A preview follows. It knows which deployments exist, and some rules only apply to new ones.
  const isForStack = known.dialect?.is === "connection";
  for (const deployment of deployments) {
    const { key, node } = deployment;
    if (node.kind !== "map") continue;
    const given = withWords(argumentsOf(key, node, known), serviceWord, rules);
    const broken = rulesOf(given);
    for (const { path, message, rule } of broken) {
      const isFormat = rule === "format";
      const { at, inOverlay } = isFormat
        ? placeInLayers(path, "value", deployment, true)
        : placeInLayers(path.slice(0, 1), "key", deployment, false);
      report(at, rule, `${formatPath(path)}: ${message}`, { inOverlay });
    }
    const doubts = [...doubtsOf(given), ...movingTag(given)];
    for (const { path, message } of isForStack ? [] : doubts) {
      const { at, inOverlay } = placeInLayers(path, "value", deployment, true);
      report(at, "fields", `${formatPath(path)} ${message}`, { severity: "warning", inOverlay });
    }
    const mayExist = given["adopt"] === true || given["adopt"] === unknownValue;
    for (const finding of findingsOf(given, rules, !mayExist, declaredIn(given))) {
      const { kind, isOnlyForCreation, property, reason, isWarning } = finding;
      // Only the preview knows whether the deployment exists, and it repeats all warnings.
      const isOfPreview = isOnlyForCreation ? isWarning || isForStack : isWarning && isForStack;
      if (kind === "early" || isOfPreview) continue;
      if (broken.some(({ path }) => formatPath(path) === property)) continue;
      // An unknown key is reported with the field that it means.
      if (valueAt(given, property.split(".")) === undefined && isMisspelt(property, node)) continue;
      const hint = isOnlyForCreation && !isWarning ? "; use `adopt: true` to take over an existing one" : "";
      const part = kind === "field" ? "key" : kind;
      const { at, inOverlay } = placeInLayers(property.split("."), part, deployment, property === "name");
      const severity = isWarning ? "warning" : "error";
      const identity = `${property} ${reason}`;
      report(at, "dialect", `${property} ${reasonText(finding)}${hint}`, { severity, identity, inOverlay });
    }
  }
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

/**
 * The key or the value at a path; the deployment's key if there is none.
 * @param isWrongAlone whether the value is wrong by itself, not only together with those of the overlay
 */
function placeInLayers(
  path: Path,
  part: "key" | "value" | "missing",
  { node, upper, at, below = at }: Layered,
  isWrongAlone: boolean,
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
