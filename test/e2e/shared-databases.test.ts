/** Two deployments of one program never share a database of one's own. */
import { expect, it } from "vitest";
import { canary, expectNoTrace } from "../support/canary";
import { programOfBoth } from "./plugin-support";
import { useProduct } from "./support";

const password = canary("password");
const uri = `postgres://chat:${encodeURIComponent(password)}@db.example.com/chat`;
const args = (name: string) =>
  `{ name: "${name}", source: "external_container", sourceConfig: { resourceSpec: {} }, sourceRevisionConfig: { imageUri: "registry.example.com/chat:1" }, secrets: { POSTGRES_URI_CUSTOM: ${JSON.stringify(uri)} } }`;
const declaring = (provider: string) =>
  programOfBoth(
    ["one", "other"].map((name) => `new ${provider}.Deployment("${name}", ${args(name)});`).join("\n"),
  );

const product = useProduct({
  program: declaring("dynamic"),
  emulator: { dialect: "langsmith" },
  config: { "deployment-service:dialect": "langsmith" },
});

it.each(["dynamic", "packaged"])(
  "with the %s provider, the preview fails and shows no value",
  async (provider) => {
    product.stack.write(declaring(provider));
    const { output, requests } = await product.preview({ expectFailure: true });
    expect(output).toMatch(/POSTGRES_URI_CUSTOM: is the same database as that of "(one|other)"/);
    expect(requests).toEqual([]);
    expectNoTrace(output, { password });
  },
);
