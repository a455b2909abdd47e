/** Builds the manifest's JSON Schema for editors, from the same types as the checker. */
import { jsonLines } from "./json-lines";
import { z } from "zod";
import { effectOf } from "./arguments";
import { deployment as fields, type Fields } from "../../../schema/fields";
import { maps } from "../../../schema/rows";
import { Manifest, ManifestDeployment } from "../../../schema/manifest";
import { defaultSourceRules, ownSourceRules, sourceDefinitions, type Schema } from "./source-schema";

/** The content of schema/manifest.schema.json. */
export function manifestSchema(): string {
  return jsonLines(schema());
}

function schema(): Schema {
  const deployment = withEffects(convert(ManifestDeployment), fields);
  const { $schema, ...frame } = convert(Manifest, (type, made) => {
    if (type !== ManifestDeployment) return;
    for (const key of Object.keys(made)) delete made[key];
    made["$ref"] = "#/definitions/Deployment";
  });
  delete deployment["$schema"];
  return {
    $schema,
    title: "Manifest of deployments",
    description: "Deployments of the deployment management service, described for Pulumi.",
    ...lenient(frame),
    anyOf: [{ required: ["deployments"] }, { required: ["stacks"] }],
    allOf: [sourceRule, ...mapsByName.map(wholeEntries), ...defaultSourceRules],
    definitions: {
      Deployment: { ...mergeable(lenient(deployment)), allOf: ownSourceRules },
      ...sourceDefinitions,
    },
  };
}

function convert(type: z.ZodType, override: (type: unknown, made: Schema) => void = () => {}): Schema {
  return z.toJSONSchema(type, {
    // The draft with the best support in editors.
    target: "draft-7",
    io: "input",
    unrepresentable: "any",
    override: ({ zodSchema, jsonSchema }) => override(zodSchema, jsonSchema as Schema),
  }) as Schema;
}

/** Says with each field what a change causes. */
function withEffects(schema: Schema, fields: Fields): Schema {
  for (const { properties = {} } of [schema, ...(schema.anyOf ?? [])]) {
    for (const [name, field] of Object.entries(fields)) {
      const made = properties[name];
      if (made === undefined) continue;
      made["description"] = field.doc + effectOf(field);
      if (field.kind === "group") withEffects(made, field.fields);
    }
  }
  return schema;
}

/** A deployment needs a source, its own or from the defaults. */
const sourceRule: Schema = {
  if: { required: ["defaults"], properties: { defaults: { type: "object", required: ["source"] } } },
  else: { properties: { deployments: { additionalProperties: { type: "object", required: ["source"] } } } },
};

/** The maps whose entries are merged: an entry can be partial, or `null` to remove the lower layer's. */
const mapsByName = maps.map(({ path, field }) => ({ path, values: field.type.valueType }));

/** Without such a map in the defaults, the entries of a deployment must be complete. */
function wholeEntries({ path, values }: (typeof mapsByName)[number]): Schema {
  const required = values instanceof z.ZodObject ? Object.keys(values.shape) : undefined;
  const isThere = path.reduceRight<Schema>(
    (inner, key) => ({ type: "object", required: [key], properties: { [key]: inner } }),
    { type: "object" },
  );
  const entry = { not: { type: "null" }, ...(required && { required }) };
  const whole = path.reduceRight<Schema>((inner, key) => ({ properties: { [key]: inner } }), {
    additionalProperties: entry,
  });
  return {
    if: { required: ["defaults"], properties: { defaults: isThere } },
    else: { properties: { deployments: { additionalProperties: whole } } },
  };
}

/** A lower layer can complete a partial secret reference or `ready`. */
function mergeable(deployment: Schema): Schema {
  for (const choice of deployment.properties?.["ready"]?.anyOf ?? []) delete choice["required"];
  for (const choice of deployment.properties?.["secretReferences"]?.anyOf ?? []) {
    const entry = choice.additionalProperties;
    if (typeof entry === "object") for (const option of entry.anyOf ?? [entry]) delete option["required"];
  }
  return deployment;
}

/** A string with a reference, which can become anything. `$${` is not a reference. */
const reference: Schema = { type: "string", pattern: "(^|[^$])\\$\\{" };

/** Allows references in place of numbers, booleans and enumerated strings, and `null` where it removes an entry. */
function lenient(schema: Schema): Schema {
  const { properties, additionalProperties, items, anyOf, ...rest } = schema;
  const result: Schema = {
    ...rest,
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([key, inner]) => [key, lenient(inner)])),
    }),
    ...(additionalProperties !== undefined && {
      additionalProperties:
        typeof additionalProperties === "object"
          ? orNull(lenient(additionalProperties))
          : additionalProperties,
    }),
    ...(items && { items: lenient(items) }),
  };
  if (anyOf) return withOptions(result, anyOf.map(lenient));
  // Every property name is a string.
  if (JSON.stringify(result["propertyNames"]) === '{"type":"string"}') delete result["propertyNames"];
  // Validators disagree about the format of UUIDs; the pattern defines it.
  if (result["pattern"] !== undefined) delete result["format"];
  const types = [result.type].flat();
  const isParsed =
    types.some((type) => type === "number" || type === "integer" || type === "boolean") ||
    result["enum"] !== undefined ||
    result["pattern"] !== undefined;
  if (!isParsed || result["const"] !== undefined) return result;
  const { description, ...type } = result;
  return withOptions(description === undefined ? {} : { description }, [type, reference]);
}

/** Flattens nested `anyOf`. */
function withOptions(schema: Schema, options: Schema[]): Schema {
  const flat = options.flatMap((option) => {
    const isChoice = option.anyOf !== undefined && Object.keys(option).length === 1;
    return isChoice ? option.anyOf! : [option];
  });
  return { ...schema, anyOf: flat };
}

/** Allows `null`, which removes the entry of a lower layer. */
function orNull(schema: Schema): Schema {
  if (schema.type === "string" && Object.keys(schema).length === 1) return { type: ["string", "null"] };
  return schema.type === "object" ? { anyOf: [schema, { type: "null" }] } : schema;
}
