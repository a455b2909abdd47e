/** Everything that can be said of a manifest without talking to a service. All problems at once, in file order. */
import { Manifest, ManifestDeployment } from "../../schema/manifest";
import { CompletenessChecker } from "./complete";
import { isCredentialName } from "../text/credential";
import { dialectOf } from "./dialect";
import { GraphChecker, mentionsIn } from "./graph";
import { layersOf, overlaysFor, View, type StackLayer } from "./layers";
import { Mask } from "./mask";
import { entriesOf, entryOf, type Node, type Span } from "./node";
import { Problems, secretNameOf, type Problem, type Rule } from "./problem";
import { readNodes } from "./read";
import { environmentValue, isTelling, hasReference, type Bindings } from "./reference";
import { scopesOf, usedOnly, type Scope } from "./scopes";
import { hideSecretLines, mayHoldSecrets } from "./secret-lines";
import { hideComments, hideSecrets } from "./secret-nodes";
import { ServiceRulesChecker } from "./service-rules";
import { ShapeChecker } from "./shape";
import type { Source } from "./source";
import { checkNames } from "./unique-names";

export interface Checked {
  readonly problems: readonly Problem[];
  readonly mask: Mask;
  readonly root: Node | undefined;
  /** The deployments of the selected stack. Only sound where no problem is an error. */
  readonly view: View | undefined;
}

/** After one of these the nodes are not all of the file. */
const brokenBy: readonly Rule[] = ["syntax", "documents", "depth"];

const secretKey =
  "a key cannot be an alias of what may be a secret, for keys are shown everywhere; write the name itself";

export function checkManifest(source: Source, known: Bindings): Checked {
  const problems = new Problems();
  const root = readNodes(source, problems);
  const mask = new Mask(source.text);
  const exposed = hideIn(mask, source, root, problems.has(brokenBy));
  for (const at of exposed) problems.add(at, "key", secretKey);
  // Whatever else is wrong could not be told without naming such a key.
  const view = root !== undefined && exposed.length === 0 ? judge(root, known, problems) : undefined;
  return { problems: withoutEchoes(problems.sorted(mask)), mask, root, view };
}

/** @returns the keys that stand for something hidden */
function hideIn(mask: Mask, source: Source, root: Node | undefined, isBroken: boolean): Span[] {
  if (root === undefined) hideSecretLines(source, mask);
  else if (!isBroken) return hideSecrets(root, mask);
  else if (mayHoldSecrets(source.text)) {
    hideSecretLines(source, mask);
    return hideSecrets(root, mask);
  } else hideComments(mask);
  return [];
}

function judge(root: Node, given: Bindings, problems: Problems): View {
  const layers = layersOf(root);
  const [overlay, rival] = given.stack === undefined ? [] : overlaysFor(layers, given.stack);
  const known = { ...given, layer: overlay?.name };
  const view = new View(layers, overlay);
  const isSelected = known.stack !== undefined;
  // Every layer by itself, then the deployments that the layers make.
  new ShapeChecker(isSelected ? usedOnly(root, view, problems) : problems, known).check(root, Manifest, []);
  if (root.kind === "map") checkFrame(root, problems);
  if (rival !== undefined) refuseRival(root, given.stack!, [overlay!, rival], problems);
  const scopes = scopesOf(root, view, known, problems);
  const [complete, graph] = [new CompletenessChecker(), new GraphChecker(layers)];
  const isForStack = known.dialect?.is === "connection";
  const service = new ServiceRulesChecker(dialectOf(root, known, problems), isForStack);
  for (const scope of scopes) {
    if (!isSelected) checkStackNames(scope);
    for (const deployment of scope.judged) complete.check(deployment, scope.known, scope.ofStack);
    graph.check(scope);
    checkNames(scope);
    service.check(scope);
    checkOptions(scope);
    if (!isSelected || scope.view === view) checkSurroundings(scope);
  }
  warnOfCredentials(root, problems);
  return view;
}

/** What holds the stack's name is another value in each stack, also where no overlay changes it. */
function checkStackNames({ view, known, ofStack }: Scope): void {
  if (known.stack === undefined) return;
  const shape = new ShapeChecker(ofStack, known);
  for (const { node } of view.all()) {
    if (mentionsIn(node).some(({ reference }) => reference.kind === "stack")) {
      shape.check(node, ManifestDeployment, []);
    }
  }
}

/** The order in a file decides nothing. */
function refuseRival(root: Node, stack: string, [first, second]: StackLayer[], problems: Problems): void {
  const { key } = entryOf(entryOf(root, "stacks")?.value, second!.name)!;
  const message =
    `the stack "${stack}" fits "${first!.name}" and "${second!.name}" alike: give it a key of its own, or make one of ` +
    "the two say more";
  problems.add(key, "key", message);
}

function checkFrame(root: Node, problems: Problems): void {
  const start = { start: root.at.start, end: root.at.start };
  if (entryOf(root, "version") === undefined) {
    problems.add(start, "required", "version is required: begin with `version: 1`");
  }
  if (entryOf(root, "deployments") === undefined && entryOf(root, "stacks") === undefined) {
    problems.add(start, "required", "deployments is required");
  }
}

/** Variables that are not set, and configuration that is not, where it is to be checked. */
function checkSurroundings({ judged, known, findings: problems }: Scope): void {
  const { env, config } = known;
  for (const { node } of judged) {
    for (const { at, reference } of mentionsIn(node)) {
      if (reference.kind === "env" && env !== undefined && environmentValue(reference, env) === undefined) {
        const { name } = reference;
        const message = `environment variable ${name} is not set; set it, or write \${env.${name}:-default}`;
        const closed = "an environment variable is not set; set it, or write a default behind its name";
        problems.add(at, "environment", isTelling(reference) ? { open: message, closed } : message);
      }
      if (reference.kind === "config" && config !== undefined && config(reference.key) === undefined) {
        const { key } = reference;
        const message = `configuration ${key} is not set; run \`pulumi config set ${key} …\`, with --secret for a secret`;
        const closed =
          "a configuration value is not set; run `pulumi config set`, with --secret for a secret";
        problems.add(at, "configuration", isTelling(reference) ? { open: message, closed } : message);
      }
    }
  }
}

/** The engine must know the options before anything is created. */
function checkOptions({ judged, known, findings: problems }: Scope): void {
  for (const { node } of judged) {
    const options = entryOf(node, "options")?.value;
    if (options === undefined) continue;
    for (const { at, reference } of mentionsIn(options)) {
      const setting = reference.kind === "config" ? known.config?.(reference.key) : undefined;
      if (setting !== undefined && setting.text === undefined) {
        problems.add(
          at,
          "reference",
          "an option must be known at once; give the configuration as a plain text",
        );
      }
      if (reference.kind === "output") {
        problems.add(
          at,
          "reference",
          "an option cannot hold the output of a deployment; to wait for one, use dependsOn",
        );
      }
    }
    for (const name of ["dependsOn", "ignoreChanges", "replaceOnChanges"]) {
      const value = entryOf(options, name)?.value;
      for (const item of value?.kind === "list" ? value.items : []) {
        if (item.kind === "scalar" && typeof item.value === "string" && hasReference(item.value)) {
          problems.add(item.at, "reference", `${name} takes no references; write the name itself`);
        }
      }
    }
  }
}

/** A credential in the file is in every copy of the repository. */
function warnOfCredentials(root: Node, problems: Problems): void {
  const stacks = [...entriesOf(entryOf(root, "stacks")?.value).values()];
  const parts = [root, ...stacks.map(({ value }) => value)].flatMap((part) => [
    ...entriesOf(entryOf(part, "deployments")?.value).values(),
  ]);
  for (const part of [entryOf(root, "defaults"), ...parts]) {
    for (const [name, { value, isBare }] of entriesOf(entryOf(part?.value, "secrets")?.value)) {
      if (isBare || value.kind !== "scalar" || typeof value.value !== "string" || value.value === "")
        continue;
      if (!isCredentialName(name) || hasReference(value.value)) continue;
      const message = `${secretNameOf(name)} looks like a credential in clear; keep it in the configuration and write \${config.KEY}`;
      problems.add(value.at, "credential", message, "warning");
    }
  }
}

const sureOf: ReadonlySet<Rule> = new Set<Rule>([
  "duplicate-key",
  "unknown-key",
  "type",
  "enum",
  "format",
  "range",
  "version",
]);

/** After an error of syntax the file may mean something else: only what stands before it is sure. */
function withoutEchoes(problems: readonly Problem[]): Problem[] {
  const first = problems.find(({ rule }) => rule === "syntax");
  return problems.filter(
    ({ at, rule }) =>
      first === undefined || rule === "syntax" || (at.start < first.at.start && sureOf.has(rule)),
  );
}
