/** Everything that can be said of a manifest without talking to a service. All problems at once, in file order. */
import { Manifest } from "../../schema/manifest";
import { credential } from "./credential";
import { CompletenessChecker } from "./complete";
import { GraphChecker, mentionsIn } from "./graph";
import { layersOf, View, type Layered, type Layers } from "./layers";
import { entriesOf, entryOf, type Node } from "./node";
import { Problems, type Problem, type Rule } from "./problem";
import { readNodes } from "./read";
import { environmentValue, hasReference, type Known } from "./reference";
import { ShapeChecker } from "./shape";
import type { Source } from "./source";

export interface Checked {
  readonly problems: readonly Problem[];
  readonly root: Node | undefined;
  /** The deployments of the selected stack. Only sound where no problem is an error. */
  readonly view: View | undefined;
}

export function checkManifest(source: Source, known: Known): Checked {
  const problems = new Problems();
  const root = readNodes(source, problems);
  if (root === undefined) return { problems: problems.sorted(), root, view: undefined };

  new ShapeChecker(problems, known).check(root, Manifest, []);
  if (root.kind === "map") checkFrame(root, problems);
  const layers = layersOf(root);
  const view = new View(layers, layers.stacks.get(known.stack ?? ""));
  const everything = allOf(layers);
  const complete = new CompletenessChecker(problems, known);
  for (const deployment of everything) complete.check(deployment);
  new GraphChecker(problems, layers).check();
  checkSurroundings(known.stack === undefined ? everything : view.all(), known, problems);
  checkOptions(everything, problems);
  warnOfCredentials(root, problems);
  return { problems: withoutEchoes(problems.sorted()), root, view };
}

function allOf({ base, stacks }: Layers): Layered[] {
  return [...base.values(), ...[...stacks.values()].flatMap(({ changed }) => [...changed.values()])];
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
function checkSurroundings(deployments: readonly Layered[], known: Known, problems: Problems): void {
  const { env, config } = known;
  for (const { node } of deployments) {
    for (const { at, reference } of mentionsIn(node)) {
      if (reference.kind === "env" && env !== undefined && environmentValue(reference, env) === undefined) {
        const { name } = reference;
        const message = `environment variable ${name} is not set; set it, or write \${env.${name}:-default}`;
        problems.add(at, "environment", message);
      }
      if (reference.kind === "config" && config !== undefined && config(reference.key) === undefined) {
        const { key } = reference;
        const message = `configuration ${key} is not set; run \`pulumi config set ${key} …\`, with --secret for a secret`;
        problems.add(at, "configuration", message);
      }
    }
  }
}

/** The engine must know the options before anything is created. */
function checkOptions(deployments: readonly Layered[], problems: Problems): void {
  for (const { node } of deployments) {
    const options = entryOf(node, "options")?.value;
    if (options === undefined) continue;
    for (const { at, reference } of mentionsIn(options)) {
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
    for (const [name, { value }] of entriesOf(entryOf(part?.value, "secrets")?.value)) {
      if (value.kind !== "scalar" || typeof value.value !== "string" || value.value === "") continue;
      if (!credential.test(name) || hasReference(value.value)) continue;
      const message = `${name} looks like a credential in clear; keep it in the configuration and write \${config.KEY}`;
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
