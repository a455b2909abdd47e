/** Writes the arguments by source: a union, so that an editor offers what a source takes and the compiler refuses the rest. */
import { sources, type Source } from "../../../schema/enums";
import { deployment, type Field } from "../../../schema/fields";
import { typedRequired, typedSourcesOf } from "../../../schema/sources";

type MemberLine = (key: string, field: Field, type?: string, isRequired?: boolean) => string;

const { source, revisionSource, ...rest } = deployment;
/** Groups, some of whose fields are not for every source. */
const bySource = { sourceConfig: "SourceConfig", sourceRevisionConfig: "SourceRevisionConfig" } as const;
type GroupName = keyof typeof bySource;

const own = Object.entries(rest).filter(([name]) => Object.hasOwn(typedSourcesOf, name));
const common = Object.entries(rest).filter(
  ([name]) => !Object.hasOwn(typedSourcesOf, name) && !isBySource(name),
);

export function sourceTypes(memberLine: MemberLine): string {
  const memberOf = ([name, field]: [string, Field]) => memberLine(name, field);
  const groupOf = (name: GroupName) => {
    const type = bySource[name];
    const inputType = `ObjectInput<(Source extends S ? ${type} : ${type}s[S]), ${type}Output>`;
    return memberLine(name, rest[name], inputType);
  };
  const groups = Object.keys(bySource) as GroupName[];
  return `${groups.map((group) => requiringTypes(group)).join("")}
/** The fields of \`sourceConfig\` by source. */
interface SourceConfigs {
${sources.map((each) => `${each}: ${partOrSame(each, "sourceConfig")};`).join("\n")}
}

/** The fields of \`sourceRevisionConfig\` by source. */
interface SourceRevisionConfigs {
${sources.map((each) => `${each}: ${partOrSame(each, "sourceRevisionConfig")};`).join("\n")}
}

/** The groups whose fields depend on the source. With several sources, they have the fields of all of them. */
interface GroupArgs<S extends Source> {
${groups.map(groupOf).join("")}}

${groupsBySource()}

/** What every source takes. What narrows a member below has its text from here. */
interface CommonArgs {
${memberLine("source", source, "Input<Source>", true)}${[["revisionSource", revisionSource] as const, ...common].map(([name, field]) => memberLine(name, field)).join("")}}

/** What not every source takes. */
interface OwnArgs {
${own.map(memberOf).join("")}}

/** The names of those that a source takes. */
interface OwnArgNames {
${sources.map((each) => `${each}: ${union(own.flatMap(([name]) => (takes(each, name) ? [name] : [])))};`).join("\n")}
}

interface SourceArgs<S extends Source> extends CommonArgs {
  source: Input<S>;
  revisionSource?: Input<Extract<S, RevisionSource> | undefined>;
}

/**
 * The arguments of a \`Deployment\` whose source is \`S\`: \`DeploymentArgsOf<"codehost">\`. Without \`S\`, or with several
 * sources, it has the fields of all of them: for a source that is only known when the program runs, and for a
 * \`revisionSource\` that is another than \`source\`.
 */
export type DeploymentArgsOf<S extends Source = Source> = SourceArgs<S> &
  GroupsFor<S> &
  Pick<OwnArgs, OwnArgNames[S]>;

/** Those that the source takes; the others are refused. */
type OwnArgsFor<S extends Source> = {
  [K in keyof OwnArgs]: K extends OwnArgNames[S] ? OwnArgs[K] : undefined;
};

/** The arguments for a literal source, which refuse the fields of other sources. */
interface KnownSourceArgs<S extends Source> extends CommonArgs, OwnArgsFor<S> {
  source: S;
}

/** The source is known only later, so that no field can be refused. */
interface LaterSourceArgs extends DeploymentArgsOf {
  source: Promise<Source> | OutputInstance<Source>;
}

/** The arguments of a \`Deployment\`: the fields that its source takes. For any source: \`DeploymentArgsOf\`. */
export type DeploymentArgs = { [S in Source]: KnownSourceArgs<S> & GroupsFor<S> }[Source] | LaterSourceArgs;
`;
}

/** `sourceConfig` and `sourceRevisionConfig` of the sources that require fields of them. */
function requiringTypes(group: GroupName): string {
  return sources
    .filter((source) => requiredIn(source, group).length > 0)
    .map((source) => {
      const members = requiredIn(source, group).map((name) => `  ${name}: RequiredString;\n`);
      const head = `interface ${typeName(source, group)} extends ${optionalPart(source, group)}`;
      return `\n/** \`${group}\` of source \`${source}\`. */\n${head} {\n${members.join("")}}\n`;
    })
    .join("");
}

/** The groups of the sources that require fields of them, and the choice between them. */
function groupsBySource(): string {
  const requiring = Object.keys(typedRequired) as Source[];
  const groupsOf = (source: Source) =>
    (Object.keys(bySource) as GroupName[])
      .filter((group) => requiredIn(source, group).length > 0)
      .map((group) => `  ${group}: ObjectInput<${typeName(source, group)}, ${bySource[group]}Output>;\n`);
  const types = requiring.map(
    (source) =>
      `/** The groups of source \`${source}\`. */\ninterface ${pascalCase(source)}Groups extends GroupArgs<"${source}"> {\n${groupsOf(source).join("")}}\n\n`,
  );
  const cases = requiring.map((source) => `[S] extends ["${source}"] ? ${pascalCase(source)}Groups : `);
  // First of all a comparison with all sources, because `S` is `any` while the compiler infers the arguments of a typed policy.
  return `${types.join("")}type GroupsFor<S extends Source> = Source extends S ? GroupArgs<S> : ${cases.join("")}GroupArgs<S>;`;
}

function requiredIn(source: Source, group: string): string[] {
  return (typedRequired[source] ?? []).flatMap((path) => {
    const [top, name] = path.split(".");
    return top === group ? [name!] : [];
  });
}

function typeName(source: Source, group: GroupName): string {
  return `${pascalCase(source)}${group === "sourceConfig" ? "Config" : "Revision"}`;
}

function pascalCase(source: Source): string {
  return source.replace(/(?:^|_)(.)/g, (_, letter: string) => letter.toUpperCase());
}

/** The type of a group's fields for a source: named if it requires some. */
function partFor(source: Source, group: GroupName): string {
  return requiredIn(source, group).length > 0 ? typeName(source, group) : optionalPart(source, group);
}

/** The same, or what an earlier source with the same fields has. */
function partOrSame(source: Source, group: GroupName): string {
  const part = partFor(source, group);
  const first = sources.find((each) => partFor(each, group) === part)!;
  return first === source ? part : `${bySource[group]}s["${first}"]`;
}

/** The shorter list of names, because errors of the compiler show it. */
function optionalPart(source: Source, group: GroupName): string {
  const type = bySource[group];
  const taken = fieldsFor(source, group);
  const refused = Object.keys(deployment[group].fields).filter((name) => !taken.includes(name));
  if (refused.length === 0) return type;
  if (taken.length === 0) return "Record<string, never>";
  return taken.length <= refused.length
    ? `Pick<${type}, ${union(taken)}>`
    : `Omit<${type}, ${union(refused)}>`;
}

function fieldsFor(source: Source, group: GroupName): string[] {
  return Object.keys(deployment[group].fields).filter((name) => takes(source, `${group}.${name}`));
}

function takes(source: Source, path: string): boolean {
  return typedSourcesOf[path]?.includes(source) !== false;
}

function isBySource(name: string): name is GroupName {
  return Object.hasOwn(bySource, name);
}

function union(names: readonly string[]): string {
  return names.length === 0 ? "never" : names.map((name) => JSON.stringify(name)).join(" | ");
}
