/** Checks a deployment after merging with the rules of the resource, and finds the place of each problem. */
import { sources } from "../../schema/enums";
import { MergedDeployment } from "../../schema/manifest";
import { movingTag } from "../../schema/images";
import type { Problem } from "../../schema/problem";
import { doubtsOf, rulesOf } from "../../schema/rules";
import { dialects, type Dialect } from "../dialects";
import { findingsOf, reasonText, type Finding } from "../dialects/service-rules";
import { serviceWord, withWords } from "../dialects/words";
import { formatPath, isObject, mapLeaves, unknownValue, type Values } from "../../schema/tree";
import { didYouMeanText } from "../../schema/wording";
import type { Bindings } from "./bindings";
import type { Layered, ViewCheck } from "./layers";
import { entryAt, entryOf, nodeAt, type Node, type Span } from "./node";
import { misfitsOf, wrongValue, type Broken } from "./shape";
import { valuesFromNode } from "./values";

/** The rules of every service. */
const anyService: Dialect = { ...dialects["standard"]!, conflicts: [] };

/** @param dialect undefined if the service is not known */
export function checkDeployment(
  deployment: Layered,
  { layers, known, report }: ViewCheck,
  dialect = anyService,
): void {
  const { key, at, node, lower, upper, below } = deployment;
  // In an overlay, a new key without a source that is close to an existing key is a typing error.
  const isNew = upper !== undefined && below === undefined && entryOf(node, "source") === undefined;
  const hint = isNew ? didYouMeanText(key, [...layers.base.deployments.keys()]) : "";
  if (hint !== "") return report(at, "key", `there is no deployment "${key}" to overlay${hint}`);
  const inherited = lower === undefined ? [] : brokenIn(key, lower, known, dialect).map(identityOf);
  for (const broken of brokenIn(key, node, known, dialect)) {
    const isOfOverlay = !inherited.includes(identityOf(broken));
    const place = (isOfOverlay && placeInOverlay(broken, deployment)) || placeIn(node, broken, below ?? at);
    report(place, broken.rule, broken.message, broken.severity);
  }
}

function identityOf({ path, message }: Broken): string {
  return `${formatPath(path)} ${message}`;
}

/** @param key of the node */
function placeIn(value: Node, { path, isKey }: Broken, key: Span): Span {
  const part = entryAt({ key, value }, path)!;
  return isKey ? part.key : part.value.at;
}

/** Where only the merge is wrong, the source in the overlay or its key; undefined without an overlay. */
function placeInOverlay(broken: Broken, { upper, at }: Layered): Span | undefined {
  if (upper === undefined) return undefined;
  if (entryAt({ key: at, value: upper }, broken.path) !== undefined) return placeIn(upper, broken, at);
  return nodeAt(upper, "source")?.at ?? at;
}

function brokenIn(key: string, node: Node, known: Bindings, dialect: Dialect): Broken[] {
  const values = valuesFromNode(node, MergedDeployment, known);
  const misfits = misfitsOf(node, MergedDeployment, values);
  if (!isObject(values)) return misfits;
  // A preview follows. It knows which deployments exist, and some rules only apply to new ones.
  const isForStack = known.dialect?.is === "connection";
  const source = sources.find((each) => each === values["source"]);
  const given = withWords({ ...values, name: values["name"] ?? key, source }, serviceWord, dialect);
  const broken = rulesOf(given);
  const mayExist = given["adopt"] === true || given["adopt"] === unknownValue;
  const isBroken = (property: string) => broken.some(({ path }) => formatPath(path) === property);
  const findings = findingsOf(given, dialect, !mayExist, declaredIn(given)).filter(
    ({ kind, isOnlyForCreation, property, isWarning }) => {
      // Only the preview knows whether the deployment exists, and it repeats all warnings.
      const isOfPreview = isOnlyForCreation ? isWarning || isForStack : isWarning && isForStack;
      return kind !== "early" && !isOfPreview && !isBroken(property);
    },
  );
  const doubts = isForStack ? [] : [...doubtsOf(given), ...movingTag(given)];
  return [
    ...misfits,
    ...broken.map(brokenRule),
    ...doubts.map(({ path, message, rule }): Broken => ({
      path,
      isKey: false,
      rule,
      message: `${formatPath(path)} ${message}`,
      severity: "warning",
    })),
    ...findings.map((finding) => brokenServiceRule(finding, node)),
  ];
}

function brokenRule({ path, message, rule }: Problem): Broken {
  return { ...wrongValue(path, rule, message), isKey: rule !== "format" };
}

function brokenServiceRule(finding: Finding, node: Node): Broken {
  const { kind, isOnlyForCreation, property, isWarning } = finding;
  const path = property.split(".");
  const isThere = kind !== "missing" && nodeAt(node, ...path) !== undefined;
  const hint = isOnlyForCreation && !isWarning ? "; use `adopt: true` to take over an existing one" : "";
  return {
    path: isThere ? path : [],
    isKey: !isThere || kind !== "value",
    rule: "dialect",
    message: `${property} ${reasonText(finding)}${hint}`,
    severity: isWarning ? "warning" : "error",
  };
}

/** A string counts as declared, whatever its references resolve to. */
function declaredIn({ revisionSource, ...given }: Values): Values {
  const declared = mapLeaves(given, (leaf) => (leaf === unknownValue ? "" : leaf));
  return { ...(declared as Values), revisionSource };
}
