import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { typeToken as dynamicToken } from "../../../provider/stored/internal-inputs";
import { pluginTypeToken } from "../../../provider/stored/internal-inputs";
import { settingsTable } from "../../../provider/settings/table";
import { deployment, type Fields } from "../../../schema/fields";
import { outputNames } from "../../../schema/outputs";

interface Property {
  readonly $ref?: string;
  readonly description?: string;
  readonly secret?: boolean;
}
type Properties = Record<string, Property>;
interface ObjectType {
  readonly properties: Properties;
  readonly required?: string[];
}
interface Schema {
  readonly types: Record<string, ObjectType>;
  readonly resources: Record<string, ObjectType & { inputProperties: Properties; aliases: object[] }>;
  readonly functions: Record<string, { outputs: ObjectType }>;
  readonly config: { variables: Properties };
  readonly provider: { inputProperties: Properties };
}

const text = readFileSync(resolve(__dirname, "../../../plugin/schema.json"), "utf8");
const schema = JSON.parse(text) as Schema;
const resource = schema.resources[pluginTypeToken]!;

const typeAt = ({ $ref }: Property) => schema.types[$ref!.replace("#/types/", "")]!;

function expectFields(table: Fields, properties: Properties): void {
  expect(Object.keys(properties)).toEqual(expect.arrayContaining(Object.keys(table)));
  for (const [name, field] of Object.entries(table)) {
    const property = properties[name]!;
    expect(property.description).toContain(field.doc);
    if (field.kind === "group") expectFields(field.fields, typeAt(property).properties);
    else expect(property.secret === true, name).toBe(field.secret ?? false);
  }
}

describe("the schema of the packaged provider", () => {
  it("has every argument of the table at its place, secret if it is, and takes over the dynamic provider's resources", () => {
    expectFields(deployment, resource.inputProperties);
    expectFields(deployment, resource.properties);
    expect(Object.keys(resource.inputProperties)).toEqual(Object.keys(deployment));
    expect(resource.aliases).toEqual([{ type: dynamicToken }]);
  });

  it("has every output, and calls required only what is never null", () => {
    expect(Object.keys(resource.properties)).toEqual([...Object.keys(deployment), ...outputNames]);
    expect(resource.required).toEqual(["name", "source", "generation", "status"]);
  });

  it("has every setting with its variable, and no default by which a provider writes the environment into the state", () => {
    for (const place of [schema.config.variables, schema.provider.inputProperties]) {
      expect(Object.keys(place)).toEqual(Object.keys(settingsTable));
      expect(place["apiKey"]).toMatchObject({ secret: true });
    }
    for (const [name, { env }] of Object.entries(settingsTable))
      expect(schema.config.variables[name]).toMatchObject({ defaultInfo: { environment: [env] } });
    expect(JSON.stringify(schema.provider)).not.toContain("defaultInfo");
  });

  it("has its functions mark the secrets of what they find", () => {
    const { properties } = schema.functions["deployment-service:index:getDeployment"]!.outputs;
    expect(properties["secrets"]).toMatchObject({ secret: true });
  });
});
