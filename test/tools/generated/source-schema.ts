/** Adds to the manifest's JSON Schema that a source refuses the fields of other sources. */
import { sources, type Source } from "../../../schema/enums";
import { deployment } from "../../../schema/fields";
import { sourcesOf } from "../../../schema/sources";

export interface Schema {
  [key: string]: unknown;
  type?: string | string[];
  properties?: Record<string, Schema>;
  additionalProperties?: Schema | boolean;
  items?: Schema;
  anyOf?: Schema[];
}

/** For each source, a definition that refuses the fields of other sources. */
export const sourceDefinitions: Readonly<Record<string, Schema>> = Object.fromEntries(
  sources.map((source) => [source, withoutForeign(source)]),
);

/** For deployments with their own source. */
export const ownSourceRules: readonly Schema[] = sources.map((source) => ({
  if: { required: ["source"], properties: { source: { const: source } } },
  then: definitionOf(source),
}));

/** For deployments that take their source from the defaults. */
export const defaultSourceRules: readonly Schema[] = sources.map((source) => ({
  if: {
    required: ["defaults"],
    properties: {
      defaults: { type: "object", required: ["source"], properties: { source: { const: source } } },
    },
  },
  then: {
    properties: {
      deployments: {
        additionalProperties: { if: { not: { required: ["source"] } }, then: definitionOf(source) },
      },
    },
  },
}));

function definitionOf(source: Source): Schema {
  return { $ref: `#/definitions/${source}` };
}

function withoutForeign(source: Source): Schema {
  const [own, ofRevision] = [false, true].map((isOfRevision) => {
    const paths = foreignTo(source).filter(
      (path) => path.startsWith("sourceRevisionConfig.") === isOfRevision,
    );
    return paths.reduce<Schema>((schema, path) => refusing(schema, path.split("."), source, path), {});
  }) as [Schema, Schema];
  // With `revisionSource`, a revision has the fields of that source.
  const overrides = {
    required: ["revisionSource"],
    properties: { revisionSource: { not: { type: "null" } } },
  };
  return { ...own, if: overrides, else: ofRevision };
}

function refusing(
  schema: Schema,
  [name = "", ...rest]: readonly string[],
  source: Source,
  path: string,
): Schema {
  const { properties = {} } = schema;
  const inner =
    rest.length === 0 ? refused(source, path) : refusing(properties[name] ?? {}, rest, source, path);
  return { ...schema, properties: { ...properties, [name]: inner } };
}

/** Allows only `null`, which removes a default. Editors show `errorMessage`; other validators show the position. */
function refused(source: Source, path: string): Schema {
  const errorMessage = `${path} is not for source ${source}, only for ${sourcesOf[path]!.join(", ")}`;
  const field = path in deployment ? deployment[path as keyof typeof deployment] : undefined;
  const removed = { type: "null", errorMessage };
  return field?.kind === "leaf" && field.list !== undefined ? { additionalProperties: removed } : removed;
}

/** The paths of the fields that do not apply to a source. */
function foreignTo(source: Source): string[] {
  return Object.keys(sourcesOf).filter((path) => !sourcesOf[path]!.includes(source));
}
