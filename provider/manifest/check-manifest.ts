/** Checks a manifest offline. Reports all problems at once, in file order. */
import { Manifest, manifestVersion, isPattern } from "../../schema/manifest";
import { asObject, isEqual, isObject, type Path, valueAt } from "../../schema/tree";
import { dialectAt, dialects, type Dialect } from "../dialects";
import { isCredentialName } from "../text/credential";
import { checkDependencies } from "./dependency-graph";
import { reportDuplicateNames } from "./identities";
import { hasStackName, layersOf, overlayFor, type Layers, type View, type ViewCheck } from "./layers";
import { Mask } from "./mask";
import { mentionsIn, mentionsUsed } from "./mentions";
import { entriesOf, membersOf, placeAt, type Placed } from "./places";
import { Problems, type ManifestProblem, type Rule } from "./manifest-problems";
import { readValues } from "./read-values";
import { textWithBindings, type Bindings } from "./bindings";
import { hasReference, parseText } from "./reference";
import { parsePropertyPath } from "../../schema/property-path";
import { withoutEffectText } from "../../schema/rows";
import { checkDeployment } from "./check-deployment";
import { misfitsOf } from "./shape";
import type { SourceText } from "./source";
import { withKnown } from "./values";

export interface CheckedManifest {
  readonly problems: readonly ManifestProblem[];
  readonly mask: Mask;
  /** What the file contains; undefined if it could not be read. */
  readonly root: unknown;
  /** The deployments of the selected stack. Only valid if no problem is an error. */
  readonly view: View | undefined;
}

/** After a problem with one of these rules, part of the file was not read. */
const brokenBy: readonly Rule[] = ["syntax", "documents", "depth"];
/** Rules whose problems are enough about a value: a warning would say less. */
const wrongValue: readonly Rule[] = ["type", "enum"];
/** Rules whose problems are real even if a later part of the file was not read. */
const sure: readonly Rule[] = ["duplicate-key", "unknown-key", "type", "enum", "format", "range", "version"];

export function checkManifest(source: SourceText, known: Bindings): CheckedManifest {
  const problems = new Problems();
  const mask = new Mask(source);
  const root = readValues(source, problems, mask);
  mask.showsKeysAlone = root === undefined || problems.has(brokenBy);
  const view = root && judge(root, known, problems);
  const sorted = problems.sorted(known.stack);
  const broken = sorted.filter(({ rule }) => wrongValue.includes(rule)).map(({ at }) => at.start);
  const all = sorted.filter(({ severity, at }) => severity === "error" || !broken.includes(at.start));
  const first = all.findIndex(({ rule }) => rule === "syntax");
  const told = all.filter(
    ({ rule }, index) => first === -1 || rule === "syntax" || (index < first && sure.includes(rule)),
  );
  return { problems: told, mask, root: root?.value, view };
}

function judge(file: Placed, known: Bindings, problems: Problems): View {
  const root = file.value;
  const layers = layersOf(root);
  const view = (known.stack !== undefined && overlayFor(layers, known.stack)) || layers.base;
  checkFrame(file, known, problems);
  const dialect = dialectOf(root, known, problems);
  const selected = { layers, view, deployments: [...view.deployments.values()], known, report: problems.add };
  const others = layers.stacks.filter((each) => each !== view);
  const all = [selected, ...others.map((other) => checkOf(other, layers, known, problems))];
  for (const each of all) checkView(each, dialect);
  for (const each of known.stack === undefined ? all : [selected]) checkSurroundings(each);
  warnOfCredentials(root, problems);
  return view;
}

function checkView(check: ViewCheck, dialect: Dialect | undefined): void {
  for (const deployment of check.deployments) checkDeployment(deployment, check, dialect);
  checkDependencies(check);
  reportDuplicateNames(check);
  checkOptions(check);
}

/** Checks only the deployments that differ from the base, for a stack that is not selected. */
function checkOf(view: View, layers: Layers, known: Bindings, problems: Problems): ViewCheck {
  const { name, at } = view.stack!;
  const deployments = [...view.deployments.values()].filter(
    ({ value, upper }) => upper !== undefined || hasStackName(value),
  );
  return {
    layers,
    view,
    deployments,
    known: { ...known, stack: isPattern(name) ? undefined : name },
    report: problems.inStack({ name, at }),
  };
}

/**
 * Checks what is around the deployments, and defaults that no deployment uses. Deployments are checked after merging, because an
 * overlay may replace a wrong value.
 */
function checkFrame({ value: root, place }: Placed, known: Bindings, problems: Problems): void {
  const hasDeployments = layersIn(root).some((layer) => entriesOf(valueAt(layer, ["deployments"])).size > 0);
  const isMerged = ([first, second, third, fourth]: Path) =>
    (first === "deployments" && second !== undefined) ||
    (first === "stacks" && third === "deployments" && fourth !== undefined) ||
    (first === "defaults" && second !== undefined && hasDeployments);
  const value = withKnown(root, Manifest, { ...known, stack: undefined });
  for (const { path, isKey, rule, message } of misfitsOf(root, Manifest, value)) {
    if (rule === "required" || isMerged(isKey ? path.slice(0, -1) : path)) continue;
    const { key, at } = path.length === 0 ? place : placeAt(root, path)!;
    if (isEqual(path, ["version"])) {
      const hint = valueAt(root, path) === String(manifestVersion) ? "; remove the quotes" : "";
      problems.add(at, "version", `this package reads version ${manifestVersion}${hint}`);
    } else problems.add(isKey ? key : at, rule, message);
  }
  if (!isObject(root)) return;
  const start = { start: place.at.start, end: place.at.start };
  if (root["version"] === undefined) {
    problems.add(start, "required", "version is required: begin with `version: 1`");
  }
  if (root["deployments"] === undefined && root["stacks"] === undefined) {
    problems.add(start, "required", "deployments is required");
  }
}

/** Reports unset variables and configuration, if the bindings include them; without the values, with a warning. */
function checkSurroundings({ deployments, known, report }: ViewCheck): void {
  const { env, config } = known;
  for (const { value } of deployments) {
    for (const { at, reference } of mentionsUsed(value, env)) {
      if (reference.kind === "env" && env !== undefined) {
        const { name } = reference;
        const message = `environment variable ${name} is not set; set it, or write \${env.${name}:-default}`;
        report(at, "environment", message);
      }
      if (reference.kind === "config" && config !== undefined && config(reference.key) === undefined) {
        const { key } = reference;
        const message = `configuration ${key} is not set; run \`pulumi config set ${key}\`, with --secret for a secret`;
        report(at, "configuration", message);
      }
    }
  }
}

/** The engine needs the options before it creates anything. */
function checkOptions({ deployments, report }: ViewCheck): void {
  for (const options of deployments.map(({ value }) => valueAt(value, ["options"]))) {
    for (const { at, reference } of mentionsIn(options)) {
      if (reference.kind === "output") {
        const message = "an option cannot contain a deployment's output; to wait for one, use dependsOn";
        report(at, "reference", message);
      }
    }
    for (const name of ["dependsOn", "ignoreChanges", "replaceOnChanges"]) {
      for (const { value, place } of membersOf(valueAt(options, [name]))) {
        const text = typeof value === "string" ? value : "";
        const path = name === "dependsOn" ? undefined : parsePropertyPath(text);
        const problem = path && withoutEffectText(name, path);
        if (hasReference(text))
          report(place.at, "reference", `${name} accepts no references; write the name itself`);
        else if (problem !== undefined) report(place.at, "fields", problem, "warning");
      }
    }
  }
}

/** A credential in the file ends up in every copy of the repository. */
function warnOfCredentials(root: unknown, problems: Problems): void {
  const deployments = layersIn(root).flatMap((layer) =>
    Object.values(asObject(valueAt(layer, ["deployments"]))),
  );
  for (const deployment of [valueAt(root, ["defaults"]), ...deployments]) {
    for (const [name, { value: text, place }] of entriesOf(valueAt(deployment, ["secrets"]))) {
      if (typeof text !== "string" || text === "" || !isCredentialName(name) || hasReference(text)) continue;
      const message = `${name} looks like a credential in plain text; keep it in the configuration and write \${config.KEY}`;
      problems.add(place.at, "credential", message, "warning");
    }
  }
}

/** The file itself, and its stacks. */
function layersIn(root: unknown): unknown[] {
  return [root, ...Object.values(asObject(valueAt(root, ["stacks"])))];
}

/** The dialect whose rules apply; undefined if none is given, or an unknown one. */
function dialectOf(root: unknown, known: Bindings, problems: Problems): Dialect | undefined {
  const given = known.dialect;
  const declared = nameIn(valueAt(root, ["dialect"]), known);
  if (given?.is === "connection" && declared !== undefined && declared !== given.name) {
    const message =
      `dialect: the file is for dialect ${declared}, but the stack's connection uses ${given.name}; ` +
      `run \`pulumi config set deployment-service:dialect ${declared}\`, or change the file`;
    problems.add(placeAt(root, ["dialect"])!.at, "dialect", message);
    return undefined;
  }
  const name = given?.is === "chosen" ? given.name : (declared ?? given?.name);
  if (name === undefined || !Object.hasOwn(dialects, name)) return undefined;
  if (given?.baseUrl === undefined) return dialects[name];
  return dialectAt(dialects[name]!, given.baseUrl, given.dashboard);
}

/** The file's dialect; undefined if it mentions none, or an unknown one. */
function nameIn(dialect: unknown, known: Bindings): string | undefined {
  const name = textWithBindings(parseText(typeof dialect === "string" ? dialect : "").parts, known);
  return name !== undefined && Object.hasOwn(dialects, name) ? name : undefined;
}
