/** The JSON Schema of the manifest, made from the same types that the checker reads: for editors. */
import { z } from "zod";
import { Manifest, ManifestDeployment } from "./manifest";
import { defaultSourceRules, ownSourceRules, sourceDefinitions } from "./source-schema";

interface Schema {
  [key: string]: unknown;
  type?: string | string[];
  properties?: Record<string, Schema>;
  additionalProperties?: Schema | boolean;
  items?: Schema;
  anyOf?: Schema[];
}

/** The text of schema/manifest.schema.json. */
export function manifestSchema(): string {
  return `${JSON.stringify(schema(), null, 2)}\n`;
}

function schema(): Schema {
  const deployment = convert(ManifestDeployment);
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
    // What editors understand best.
    target: "draft-7",
    io: "input",
    unrepresentable: "any",
    override: ({ zodSchema, jsonSchema }) => override(zodSchema, jsonSchema as Schema),
  }) as Schema;
}

/** A deployment has a source, of its own or from the defaults. */
const sourceRule: Schema = {
  if: { required: ["defaults"], properties: { defaults: { type: "object", required: ["source"] } } },
  else: { properties: { deployments: { additionalProperties: { type: "object", required: ["source"] } } } },
};

/** The maps by name whose entries are merged: an entry may be a part, or `null` to remove that of a lower layer. */
const mapsByName: { path: string[]; required?: string[] }[] = [
  { path: ["secrets"] },
  { path: ["secretReferences"], required: ["secretName", "secretKey"] },
  { path: ["sourceConfig", "resourceSpec", "labels"] },
  { path: ["sourceConfig", "resourceSpec", "annotations"] },
];

/** Where the defaults have no such map, there is nothing below the entries of a deployment. */
function wholeEntries({ path, required }: (typeof mapsByName)[number]): Schema {
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

/** A lower layer may bring what a reference to a secret, or `ready`, lacks. */
function mergeable(deployment: Schema): Schema {
  for (const choice of deployment.properties?.["ready"]?.anyOf ?? []) delete choice["required"];
  for (const choice of deployment.properties?.["secretReferences"]?.anyOf ?? []) {
    const entry = choice.additionalProperties;
    if (typeof entry === "object") for (const option of entry.anyOf ?? [entry]) delete option["required"];
  }
  return deployment;
}

/** A text with a reference, which may become anything. `$${` is no reference. */
const reference: Schema = { type: "string", pattern: "(^|[^$])\\$\\{" };

/** Lets a reference stand where it will be read as a number, a boolean or a word, and `null` where it removes. */
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
  // Every name is a text.
  if (JSON.stringify(result["propertyNames"]) === '{"type":"string"}') delete result["propertyNames"];
  // Validators differ in what they take for a UUID; the pattern says it.
  if (result["pattern"] !== undefined) delete result["format"];
  const types = [result.type].flat();
  const isRead =
    types.some((type) => type === "number" || type === "integer" || type === "boolean") ||
    result["enum"] !== undefined ||
    result["pattern"] !== undefined;
  if (!isRead || result["const"] !== undefined) return result;
  const { description, ...type } = result;
  return withOptions(description === undefined ? {} : { description }, [type, reference]);
}

/** A choice in a choice is one choice. */
function withOptions(schema: Schema, options: Schema[]): Schema {
  const flat = options.flatMap((option) => {
    const isChoice = option.anyOf !== undefined && Object.keys(option).length === 1;
    return isChoice ? option.anyOf! : [option];
  });
  return { ...schema, anyOf: flat };
}

/** Of maps by name: what takes an entry of a lower layer away. */
function orNull(schema: Schema): Schema {
  if (schema.type === "string" && Object.keys(schema).length === 1) return { type: ["string", "null"] };
  return schema.type === "object" ? { anyOf: [schema, { type: "null" }] } : schema;
}
