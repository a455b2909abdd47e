/** What is wrong in a program or its configuration fails in the preview, with its place, before anything is sent. */
import { describe, expect, it } from "vitest";
import { languages, useLanguage, yamlHead, type Language } from "./support";

/** In each language: a misspelt argument, a misspelt member of a group, a text for a number, a value that is none of the listed. */
const wrong: Readonly<Record<Language, Record<string, string>>> = {
  nodejs: {
    "index.ts": `
import * as service from "@pulumi/deployment-service";
new service.Deployment("chat", {
  source: "elsewhere",
  sourceConfig: { resourceSpec: { cpu: "lots", minScael: 1 } },
} as never);
`,
  },
  python: {
    "__main__.py": `
import pulumi_deployment_service as service
service.Deployment(
    "chat",
    source="elsewhere",
    source_config={"resource_spec": {"cpu": "lots", "min_scael": 1}},
)
`,
  },
  yaml: {
    "Pulumi.yaml": `${yamlHead()}
resources:
  chat:
    type: deployment-service:Deployment
    properties:
      source: elsewhere
      sourceConfig:
        resourceSpec: { cpu: lots, minScael: 1 }
`,
  },
};

/** A line for each problem, of whoever finds it: the host of Pulumi YAML reads the schema and is first. */
const saysOfArguments: Readonly<Record<Language, readonly RegExp[]>> = {
  nodejs: byProvider("minScael"),
  python: byProvider("min_scael"),
  yaml: [
    /source: Cannot assign type 'string' to type 'deployment-service:index:Source'/,
    /Allowed values are .*"external_container"/,
    /sourceConfig: [^]*resourceSpec: [^]*cpu: Cannot assign type 'string' to type 'number'/,
    /Existing properties are: minScale/,
  ],
};

function byProvider(misspelt: string): RegExp[] {
  const at = (path: string) => `resource 'chat': property ${path} value \\{.*\\} has a problem:`;
  return [
    new RegExp(`${at("source")} expected one of codehost, external_container`),
    new RegExp(`${at("sourceConfig.resourceSpec.cpu")} expected a number, got a string`),
    new RegExp(
      `${at(`sourceConfig.resourceSpec.${misspelt}`)} unknown key "${misspelt}"; did you mean "minScale"`,
    ),
  ];
}

describe.each(languages)("a program in %s", (language) => {
  const product = useLanguage(language);

  it("is told of every wrong setting by its name", async () => {
    const env = { DEPLOYMENT_SERVICE_URL: "ftp://127.0.0.1", DEPLOYMENT_SERVICE_POLL_INTERVAL: "soon" };
    const { output, requests } = await product.preview({ expectFailure: true, env });
    expect(requests).toEqual([]);
    expect(output).toContain("deployment-service:baseUrl (DEPLOYMENT_SERVICE_URL) must begin with https://");
    expect(output).toContain(
      "deployment-service:pollInterval (DEPLOYMENT_SERVICE_POLL_INTERVAL) must be a duration",
    );
  });

  it("is told of every wrong argument by its path", async () => {
    product.stack.write(wrong[language]);
    const { output, requests } = await product.preview({ expectFailure: true });
    expect(requests).toEqual([]);
    for (const line of saysOfArguments[language]) expect(output).toMatch(line);
  });
});
