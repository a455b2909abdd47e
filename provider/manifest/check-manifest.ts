/** Checks a manifest offline. Reports all problems at once, in file order. */
import { didYouMeanText } from "../../schema/wording";
import type { Dialect } from "../dialects";
import { isCredentialName } from "../text/credential";
import { checkDependencies } from "./dependency-graph";
import { checkAliases, reportDuplicateNames, reportSharedDatabases } from "./identities";
import { isPattern } from "../../schema/manifest";
import { hasStackName, layersOf, overlayFor, type Layered, type Layers, type View } from "./layers";
import { Mask } from "./mask";
import { mentionsIn, mentionsUsed } from "./mentions";
import { entriesOf, entryOf, itemsOf, nodeAt, stringValue, valuesOf, type Node } from "./node";
import { Problems, type ManifestProblem, type Rule } from "./problem";
import { readNodes } from "./read-nodes";
import type { Bindings } from "./bindings";
import { hasReference } from "./reference";
import { parsePropertyPath } from "../../schema/property-path";
import { withoutEffectText } from "../../schema/rows";
import { checkRules, dialectOf } from "./check-rules";
import { checkFrame, checkMerged } from "./shape";
import type { SourceText } from "./source";
import type { ViewCheck } from "./view-check";

export interface CheckedManifest {
  readonly problems: readonly ManifestProblem[];
  readonly mask: Mask;
  readonly root: Node | undefined;
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
  const root = readNodes(source, problems, mask);
  mask.showsKeysAlone = root === undefined || problems.has(brokenBy);
  const view = root && judge(root, known, problems);
  const sorted = problems.sorted(known.stack);
  const broken = sorted.filter(({ rule }) => wrongValue.includes(rule)).map(({ at }) => at.start);
  const all = sorted.filter(({ severity, at }) => severity === "error" || !broken.includes(at.start));
  const first = all.findIndex(({ rule }) => rule === "syntax");
  const told = all.filter(
    ({ rule }, index) => first === -1 || rule === "syntax" || (index < first && sure.includes(rule)),
  );
  return { problems: told, mask, root, view };
}

function judge(root: Node, known: Bindings, problems: Problems): View {
  const layers = layersOf(root);
  const view = (known.stack !== undefined && overlayFor(layers, known.stack)) || layers.base;
  checkFrame(root, problems.add, known);
  if (root.kind === "map") requireParts(root, problems);
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
  for (const deployment of check.deployments) checkDeployment(deployment, check);
  checkDependencies(check);
  reportDuplicateNames(check);
  if (dialect !== undefined) reportSharedDatabases(check, dialect);
  checkAliases(check);
  checkRules(check, dialect);
  checkOptions(check);
}

/** Checks only the deployments that differ from the base, for a stack that is not selected. */
function checkOf(view: View, layers: Layers, known: Bindings, problems: Problems): ViewCheck {
  const { name, at } = view.stack!;
  const deployments = [...view.deployments.values()].filter(
    ({ node, upper }) => upper !== undefined || hasStackName(node),
  );
  return {
    layers,
    view,
    deployments,
    known: { ...known, stack: isPattern(name) ? undefined : name },
    report: problems.inStack({ name, at }),
  };
}

function checkDeployment(deployment: Layered, { layers, known, report }: ViewCheck): void {
  const { key, at, node, below, upper } = deployment;
  // In an overlay, a new key without a source that is close to an existing key is a typing error.
  const isNew = upper !== undefined && below === undefined && entryOf(node, "source") === undefined;
  const hint = isNew ? didYouMeanText(key, [...layers.base.deployments.keys()]) : "";
  if (hint === "") checkMerged(deployment, report, known);
  else report(at, "key", `there is no deployment "${key}" to overlay${hint}`);
}

function requireParts(root: Node, problems: Problems): void {
  const start = { start: root.at.start, end: root.at.start };
  if (entryOf(root, "version") === undefined) {
    problems.add(start, "required", "version is required: begin with `version: 1`");
  }
  if (entryOf(root, "deployments") === undefined && entryOf(root, "stacks") === undefined) {
    problems.add(start, "required", "deployments is required");
  }
}

/** Reports unset variables and configuration, if the bindings include them; without the values, with a warning. */
function checkSurroundings({ deployments, known, report }: ViewCheck): void {
  const { env, config } = known;
  for (const { node } of deployments) {
    for (const { at, reference } of mentionsUsed(node, env)) {
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
  for (const options of deployments.flatMap(({ node }) => nodeAt(node, "options") ?? [])) {
    for (const { at, reference } of mentionsIn(options)) {
      if (reference.kind === "output") {
        const message = "an option cannot hold the output of a deployment; to wait for one, use dependsOn";
        report(at, "reference", message);
      }
    }
    for (const name of ["dependsOn", "ignoreChanges", "replaceOnChanges"]) {
      for (const item of itemsOf(nodeAt(options, name))) {
        const text = stringValue(item) ?? "";
        const path = name === "dependsOn" ? undefined : parsePropertyPath(text);
        const problem = path && withoutEffectText(name, path);
        if (hasReference(text))
          report(item.at, "reference", `${name} accepts no references; write the name itself`);
        else if (problem !== undefined) report(item.at, "fields", problem, { severity: "warning" });
      }
    }
  }
}

/** A credential in the file ends up in every copy of the repository. */
function warnOfCredentials(root: Node, problems: Problems): void {
  const layers = [root, ...valuesOf(nodeAt(root, "stacks"))];
  const deployments = layers.flatMap((layer) => valuesOf(nodeAt(layer, "deployments")));
  for (const deployment of [nodeAt(root, "defaults"), ...deployments]) {
    for (const [name, { value }] of entriesOf(nodeAt(deployment, "secrets"))) {
      const text = stringValue(value) ?? "";
      if (text === "" || !isCredentialName(name) || hasReference(text)) continue;
      const message = `${name} looks like a credential in plain text; keep it in the configuration and write \${config.KEY}`;
      problems.add(value.at, "credential", message, { severity: "warning" });
    }
  }
}
