/** The part of the manifest's JSON Schema that refuses fields that mean nothing for the source, in words of its own. */
import { sources, type Source } from "./enums";
import { deployment } from "./fields";
import { foreignTo, sourcesOf } from "./sources";

interface Schema {
  [key: string]: unknown;
  properties?: Record<string, Schema>;
}

/** By source: what a deployment of it leaves out. */
export const sourceDefinitions: Readonly<Record<string, Schema>> = Object.fromEntries(
  sources.map((source) => [source, withoutForeign(source)]),
);

/** For a deployment that says its source itself. */
export const ownSourceRules: readonly Schema[] = sources.map((source) => ({
  if: { required: ["source"], properties: { source: { const: source } } },
  then: definitionOf(source),
}));

/** For the deployments that leave their source to the defaults. */
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
  // A revision from another source has that one's fields.
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

/** `null` removes what the defaults have. Editors show `errorMessage`; for other validators the place says enough. */
function refused(source: Source, path: string): Schema {
  const errorMessage = `${path} is not for source ${source}, only for ${sourcesOf[path]!.join(", ")}`;
  const field = path in deployment ? deployment[path as keyof typeof deployment] : undefined;
  const removed = { type: "null", errorMessage };
  return field?.kind === "leaf" && field.list !== undefined ? { additionalProperties: removed } : removed;
}
