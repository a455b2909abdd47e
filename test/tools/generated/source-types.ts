/** Writes the arguments by source: a union, so that an editor offers what a source takes and the compiler refuses the rest. */
import { sources, type Source } from "../../../schema/enums";
import { deployment, type Field } from "../../../schema/fields";
import { sourcesOf } from "../../../schema/sources";

/** The paths of the fields that do not apply to a source. */
export function foreignTo(source: Source): string[] {
  return Object.keys(sourcesOf).filter((path) => !sourcesOf[path]!.includes(source));
}

type MemberLine = (key: string, field: Field, type?: string, isRequired?: boolean) => string;

const { source, revisionSource, ...rest } = deployment;
/** Groups, some of whose fields are not for every source. */
const bySource = { sourceConfig: "SourceConfig", sourceRevisionConfig: "SourceRevisionConfig" } as const;
type GroupName = keyof typeof bySource;

const own = Object.entries(rest).filter(([name]) => Object.hasOwn(sourcesOf, name));
const common = Object.entries(rest).filter(([name]) => !Object.hasOwn(sourcesOf, name));

export function sourceTypes(memberLine: MemberLine): string {
  const memberOf = ([name, field]: [string, Field]) => {
    if (!isBySource(name)) return memberLine(name, field);
    const type = bySource[name];
    return memberLine(
      name,
      field,
      `ObjectInput<(Source extends S ? ${type} : ${type}s[S]), ${outputOf(type)}>`,
    );
  };
  return `
/** The fields of \`sourceConfig\` by source. */
interface SourceConfigs {
${sources.map((each) => `${each}: ${partFor(each, "sourceConfig")};`).join("\n")}
}

/** The fields of \`sourceRevisionConfig\` by source. */
interface SourceRevisionConfigs {
${sources.map((each) => `${each}: ${partFor(each, "sourceRevisionConfig")};`).join("\n")}
}

/** The outputs of \`sourceRevisionConfig\` by source. */
interface SourceRevisionConfigOutputs {
${sources.map((each) => `${each}: ${nameOfPart(each)}Output;`).join("\n")}
}

/** What every source takes. With several sources, their groups have the fields of all of them. */
interface CommonArgs<S extends Source> {
${common.map(memberOf).join("")}}

/** What not every source takes. */
interface OwnArgs {
${own.map(memberOf).join("")}}

/** The names of those that a source takes. */
interface OwnArgNames {
${sources.map((each) => `${each}: ${union(own.flatMap(([name]) => (takes(each, name) ? [name] : [])))};`).join("\n")}
}

interface SourceArgs<S extends Source> extends CommonArgs<S> {
${memberLine("source", source, "Input<S>", true)}${memberLine("revisionSource", revisionSource, "Input<Extract<S, RevisionSource>>")}}

/**
 * The arguments of a \`Deployment\` whose source is \`S\`: \`DeploymentArgsOf<"codehost">\`. Without \`S\`, or with several
 * sources, it has the fields of all of them: for a source that is only known when the program runs, and for a
 * \`revisionSource\` that is another than \`source\`.
 */
export type DeploymentArgsOf<S extends Source = Source> = SourceArgs<S> & Pick<OwnArgs, OwnArgNames[S]>;

/** Those that the source takes; the others are refused. */
type OwnArgsFor<S extends Source> = {
  [K in keyof OwnArgs]: K extends OwnArgNames[S] ? OwnArgs[K] : undefined;
};

/** The arguments for a literal source, which refuse the fields of other sources. */
interface KnownSourceArgs<S extends Source> extends CommonArgs<S>, OwnArgsFor<S> {
${memberLine("source", source, "S", true)}${memberLine("revisionSource", revisionSource)}}

/** The source is known only later, so that no field can be refused. */
interface LaterSourceArgs extends DeploymentArgsOf {
${memberLine("source", source, "Promise<Source> | OutputInstance<Source>", true)}}

/** The arguments of a \`Deployment\`: the fields that its source takes. For any source: \`DeploymentArgsOf\`. */
export type DeploymentArgs = { [S in Source]: KnownSourceArgs<S> }[Source] | LaterSourceArgs;
`;
}

/** `SourceConfig` has groups, so that its output has no keys by source. */
function outputOf(type: string): string {
  if (type === "SourceConfig") return `${type}Output`;
  return `Source extends S ? ${type}Output : ${type}Outputs[S]`;
}

/** The parts of `sourceRevisionConfig` that a source takes, each with the name of its output. */
export const revisionParts = [...new Map(sources.map((each) => [nameOfPart(each), each]))].map(
  ([name, each]) => ({ name, part: partFor(each, "sourceRevisionConfig") }),
);

/** Two sources with the same fields share the name of the first. */
function nameOfPart(source: Source): string {
  const part = partFor(source, "sourceRevisionConfig");
  const first = sources.find((each) => partFor(each, "sourceRevisionConfig") === part)!;
  return `${first.replace(/(?:^|_)(.)/g, (_, letter: string) => letter.toUpperCase())}Revision`;
}

/** The part of a group that a source takes, told by the shorter list of names: it is what a refusal shows. */
function partFor(source: Source, group: GroupName): string {
  const type = bySource[group];
  const names = Object.keys(deployment[group].fields);
  const foreign = foreignTo(source);
  const [taken, refused] = [names, names].map((all, index) =>
    all.filter((name) => foreign.includes(`${group}.${name}`) === (index === 1)),
  ) as [string[], string[]];
  if (refused.length === 0) return type;
  if (taken.length === 0) return "Record<string, never>";
  return taken.length <= refused.length
    ? `Pick<${type}, ${union(taken)}>`
    : `Omit<${type}, ${union(refused)}>`;
}

function takes(source: Source, path: string): boolean {
  return !foreignTo(source).includes(path);
}

function isBySource(name: string): name is GroupName {
  return Object.hasOwn(bySource, name);
}

function union(names: readonly string[]): string {
  return names.length === 0 ? "never" : names.map((name) => JSON.stringify(name)).join(" | ");
}
