/** What the packaged provider does better than the dynamic one, on the real engine. */
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { canary, expectNoTrace } from "../support/canary";
import { packagedProgram } from "./plugin-support";
import { useProduct } from "./support";

const canaries = { environment: canary("environment"), url: canary("url") };

interface Chat {
  readonly image: string;
  readonly cpu?: number;
  readonly more?: string;
}

/** A deployment, another that depends on it, and outputs of both. */
const chatAndBot = ({ image, cpu = 1, more = "" }: Chat) =>
  packagedProgram(`
const chat = new Deployment("chat", {
  source: "external_container",
  sourceConfig: { resourceSpec: { cpu: ${cpu} } },
  sourceRevisionConfig: { imageUri: "registry.example.com/chat:${image}" },
  secrets: { MODEL_API_KEY: process.env.MODEL_API_KEY },
  ${more}
});
const bot = new Deployment("bot", {
  source: "external_container",
  sourceConfig: { customUrl: pulumi.secret("https://" + process.env.BOT_HOST) },
  sourceRevisionConfig: { imageUri: "registry.example.com/bot:1" },
  triggers: [chat.latestRevisionId],
});
module.exports = {
  id: chat.id,
  name: chat.name,
  generation: chat.generation,
  status: chat.status,
  url: chat.url,
  createdAt: chat.createdAt.apply((time) => typeof time),
  botGeneration: bot.generation,
  botUrl: bot.url,
};`);

const outputsIn = (output: string) => output.slice(output.indexOf("Outputs:"), output.indexOf("Resources:"));

describe("a packaged deployment", () => {
  const product = useProduct({
    program: chatAndBot({ image: "1" }),
    emulator: { idSeed: 1 },
    env: {
      MODEL_API_KEY: canaries.environment,
      BOT_HOST: `${encodeURIComponent(canaries.url)}.example.com`,
    },
  });

  it("shows in the preview of its creation what is certain, and sends nothing", async () => {
    const { requests, screen } = await product.preview();
    expect(requests).toEqual([]);
    expect(outputsIn(screen)).toMatchInlineSnapshot(`
      "Outputs:
          botGeneration: 1
          botUrl       : [unknown]
          createdAt    : [unknown]
          generation   : 1
          id           : [unknown]
          name         : "chat"
          status       : [unknown]
          url          : [unknown]
      "
    `);
  });

  it("is created by one request, and has its secrets sealed in the state", async () => {
    const { writes, output } = await product.up();
    expect(writes.map(({ method }) => method)).toEqual(["POST", "POST"]);
    expect(output).toContain("Resources:\n    + 3 created");
    expectNoTrace(product.stack.stateText() + output, canaries);
    const { inputs, outputs } = product.stack.resource("bot");
    expect(Object.keys(inputs!).filter((name) => name.startsWith("__"))).toEqual([]);
    expect(Object.keys(outputs!).filter((name) => name.startsWith("__"))).toEqual([
      "__madeWith",
      "__private",
    ]);
  });

  it("shows no change where there is none, in a preview and in a refresh", async () => {
    expect((await product.preview({ args: ["--expect-no-changes"] })).requests).toEqual([]);
    await product.refresh({ args: ["--expect-no-changes"] });
  });

  it("shows each change with its path and its kind, and what is certain of the outputs", async () => {
    product.stack.write(
      chatAndBot({ image: "2", cpu: 2, more: 'revisionSource: "internal_container", skipAwait: false,' }),
    );
    const { screen, requests } = await product.preview({ diff: true });
    expect(requests).toEqual([]);
    expect(screen).toMatchInlineSnapshot(`
      "Previewing update (dev):
      bot: creates a new revision (triggers: not known yet); no new revision if the unknown values stay the same
      chat: creates a new revision (sourceRevisionConfig.imageUri); also changes sourceConfig.resourceSpec.cpu
          ~ deployment-service:index:Deployment: (update)
            ~ generation          : 1 => 2
            + revisionSource      : "internal_container"
            + skipAwait           : false
            ~ sourceConfig        : {
                ~ resourceSpec: {
                    ~ cpu: 1 => 2
                  }
              }
            ~ sourceRevisionConfig: {
                ~ imageUri: "registry.example.com/chat:1" => "registry.example.com/chat:2"
              }
          ~ deployment-service:index:Deployment: (update)
            ~ generation: 1 => [unknown]
            ~ triggers  : [
                ~ [0]: "<id>" => [unknown]
              ]
          --outputs:--
        ~ generation: 1 => 2
      Resources:
          ~ 2 to update
          1 unchanged"
    `);
    await product.up();
    expect(product.stack.resource("bot").outputs).toMatchObject({ generation: 2 });
    await product.preview({ args: ["--expect-no-changes"] });
  });

  it("has a schema that Pulumi finds no fault with, and answers it where its executable is named", async () => {
    const folder = resolve(__dirname, "../../plugin");
    await product.run(["schema", "check", join(folder, "schema.json")]);
    const file = join(folder, "pulumi-resource-deployment-service");
    const { stdout } = await product.run(["package", "get-schema", file]);
    const known = JSON.parse(readFileSync(join(folder, "schema.json"), "utf8")) as { types: object };
    expect(JSON.parse(stdout)).toMatchObject({ name: "deployment-service", types: known.types });
  });

  it("packaged deployments are deleted", async () => {
    const { writes } = await product.destroy();
    expect(writes.map(({ method }) => method)).toEqual(["DELETE", "DELETE"]);
    expect(product.emulator.deployments()).toEqual([]);
  });
});
