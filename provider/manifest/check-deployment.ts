/** Checks a deployment after merging with the rules of the resource, and finds the place of each problem. */
import { sources } from "../../schema/enums";
import { MergedDeployment } from "../../schema/manifest";
import { movingTag } from "../../schema/images";
import type { Problem } from "../../schema/problem";
import { doubtsOf, rulesOf } from "../../schema/rules";
import { dialects, type Dialect } from "../dialects";
import { findingsOf, reasonText, type Finding } from "../dialects/service-rules";
import { serviceWord, withWords } from "../dialects/words";
import { formatPath, isObject, mapLeaves, unknownValue, valueAt, type Values } from "../../schema/tree";
import { didYouMeanText } from "../../schema/wording";
import type { Bindings } from "./bindings";
import type { Layered, ViewCheck } from "./layers";
import { placeAt, type Place, type Span } from "./places";
import { misfitsOf, wrongValue, type Broken } from "./shape";
import { withKnown } from "./values";

/** The rules of every service. */
const anyService: Dialect = { ...dialects["standard"]!, conflicts: [] };

/** @param dialect undefined if the service is not known */
export function checkDeployment(
  deployment: Layered,
  { layers, known, report }: ViewCheck,
  dialect = anyService,
): void {
  const { key, place, value, lower, upper, below } = deployment;
  // In an overlay, a new key without a source that is close to an existing key is a typing error.
  const isNew = upper !== undefined && below === undefined && valueAt(value, ["source"]) === undefined;
  const hint = isNew ? didYouMeanText(key, [...layers.base.deployments.keys()]) : "";
  if (hint !== "") return report(place.key, "key", `there is no deployment "${key}" to overlay${hint}`);
  const inherited = lower === undefined ? [] : brokenIn(key, lower, known, dialect).map(identityOf);
  for (const broken of brokenIn(key, value, known, dialect)) {
    const isOfOverlay = !inherited.includes(identityOf(broken));
    const at = (isOfOverlay && spanInOverlay(broken, deployment)) || spanIn(value, broken, below ?? place)!;
    report(at, broken.rule, broken.message, broken.severity);
  }
}

function identityOf({ path, message }: Broken): string {
  return `${formatPath(path)} ${message}`;
}

/** @param place of the deployment itself */
function spanIn(deployment: unknown, { path, isKey }: Broken, place: Place): Span | undefined {
  const found = path.length === 0 ? place : placeAt(deployment, path);
  return isKey ? found?.key : found?.at;
}

/** Where only the merge is wrong, the source in the overlay or its key; undefined without an overlay. */
function spanInOverlay(broken: Broken, { upper, place }: Layered): Span | undefined {
  if (upper === undefined) return undefined;
  return spanIn(upper, broken, place) ?? placeAt(upper, ["source"])?.at ?? place.key;
}

function brokenIn(key: string, written: unknown, known: Bindings, dialect: Dialect): Broken[] {
  const values = withKnown(written, MergedDeployment, known);
  const misfits = misfitsOf(written, MergedDeployment, values);
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
    ...findings.map((finding) => brokenServiceRule(finding, written)),
  ];
}

function brokenRule({ path, message, rule }: Problem): Broken {
  return { ...wrongValue(path, rule, message), isKey: rule !== "format" };
}

function brokenServiceRule(finding: Finding, written: unknown): Broken {
  const { kind, isOnlyForCreation, property, isWarning } = finding;
  const path = property.split(".");
  const isThere = kind !== "missing" && valueAt(written, path) !== undefined;
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
