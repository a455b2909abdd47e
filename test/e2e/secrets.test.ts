import { describe, expect, it } from "vitest";
import { canary, expectNoTrace, headerCanary, tracesIn } from "../support/canary";
import { programOfBoth } from "./plugin-support";
import { useProduct, type Run } from "./support";

const canaries = {
  apiKey: headerCanary("apiKey"),
  plain: canary("plain"),
  config: canary("config"),
  image: "registry.example.com/canary-of-image/second-part:7-9q8w-canary",
  url: canary("url"),
  label: canary("label"),
  dotted: canary("dotted"),
  annotation: canary("annotation"),
  sidecar: canary("sidecar"),
  command: `make ${canary("command")}`,
  trigger: canary("trigger"),
  drift: canary("drift"),
};

/** The same deployment with the dynamic provider and with the packaged one. */
const program = programOfBoth(`
const secret = pulumi.secret;
const canaries = ${JSON.stringify(canaries)};
const args = {
  source: "external_container",
  sourceConfig: {
    customUrl: secret(canaries.url),
    buildCommand: pulumi.interpolate\`make \${secret(canaries.command.slice(5))}\`,
    resourceSpec: {
      labels: { open: "visible", owner: secret(canaries.label), app: "x", "app.example.com/owner": secret(canaries.dotted) },
      annotations: secret({ note: canaries.annotation }),
      sidecars: [{ name: "proxy", env: [{ name: "TOKEN", value: secret(canaries.sidecar) }] }],
    },
  },
  sourceRevisionConfig: { imageUri: secret(canaries.image), graphConfigPath: "visible.json" },
  secrets: { PLAIN: canaries.plain, CONFIG: new pulumi.Config().requireSecret("value") },
  secretReferences: { DB_URL: { secretName: "chat-db", secretKey: "url" } },
  triggers: [1, secret(canaries.trigger)],
};
const chat = new dynamic.Deployment("chat", args);
const packagedChat = new packaged.Deployment("packaged-chat", args);
exports.url = chat.url;
exports.status = chat.status;
exports.secrets = chat.secrets;
exports.packagedUrl = packagedChat.url;`);

describe("a secret", () => {
  const product = useProduct({
    program,
    emulator: { apiKey: canaries.apiKey },
    config: {
      "deployment-service:apiKey": { secret: canaries.apiKey },
      "program:value": { secret: canaries.config },
    },
    env: { DEPLOYMENT_SERVICE_API_KEY: "", DEPLOYMENT_SERVICE_LOG: "debug" },
  });
  const expectNothingGivenAway = ({ output }: Run) => {
    expectNoTrace(output, canaries);
    expectNoTrace(product.stack.stateText(), canaries);
  };

  it("is not shown by a preview, in any form (G02)", async () => {
    const diff = await product.preview({ diff: true });
    for (const open of ["visible.json", 'open                 : "visible"', 'secretName: "chat-db"'])
      expect(diff.screen).toContain(open);
    expect(diff.screen.match(/(labels|owner) *: \[secret\]/g)).toHaveLength(3);
    expectNothingGivenAway(diff);
    expectNothingGivenAway(await product.preview({ json: true }));
  });

  it("reaches the service and no other place (G01, G02, G18)", async () => {
    const up = await product.up();
    const body = {
      source_config: { custom_url: canaries.url, resource_spec: { labels: { owner: canaries.label } } },
      source_revision_config: { image_uri: canaries.image },
      secrets: [
        { name: "CONFIG", value: canaries.config },
        { name: "PLAIN", value: canaries.plain },
      ],
    };
    expect(up.writes).toMatchObject([{ body }, { body }]);
    expectNothingGivenAway(up);
    expect(up.output.match(/url *: \[secret\]/gi)).toHaveLength(2);
    expect(up.output).toMatch(/deployment-service: POST \/v2\/deployments 201 \d+ms/);
    expect(product.stack.stateText()).toContain("visible.json");
    expectNothingGivenAway(await product.run(["stack", "export"]));
  });

  it("is in no line of ours, however much the engine logs (K29)", async () => {
    const verbose = ["--logtostderr", "--logflow", "--skip-preview", "--yes"];
    expectNoTrace((await product.run(["refresh", ...verbose, "-v=8"])).output, canaries);
    for (const { id } of product.emulator.deployments())
      product.emulator.change(
        id,
        ({ source_config }) => void (source_config["custom_url"] = "https://x.example.com"),
      );
    const { output } = await product.run(["up", "--refresh", ...verbose, "-v=11"]);
    const ofEngine = /arshaling property for RPC\[|RegisterResource RPC finished:|eventSink::Debug\(/;
    const [engine, ours] = [true, false].map((is) =>
      output
        .split("\n")
        .filter((line) => ofEngine.test(line) === is)
        .join("\n"),
    );
    // From this level on, the engine logs what it sends to any provider (see SECURITY.md).
    expect(tracesIn(engine!, canaries)).not.toEqual([]);
    expect(ours).toContain("PATCH /v2/deployments/");
    expectNoTrace(ours!, canaries);
  });

  it("is not shown when someone changed it at the service (E21)", async () => {
    for (const { id } of product.emulator.deployments()) {
      product.emulator.change(id, (record) => {
        for (const secret of record.secrets) secret.value = canaries.drift;
        record.source_revision_config["image_uri"] = canaries.drift;
        record.source_config["custom_url"] = canaries.drift;
        record.source_config["resource_spec"] = { labels: { open: "visible", owner: canaries.drift } };
      });
    }
    const refresh = await product.refresh({ diff: true });
    expect(refresh.screen).toContain("~ imageUri: [secret] => [secret]");
    expect(refresh.screen).toContain("~ 2 updated");
    expectNothingGivenAway(refresh);
    const preview = await product.preview({ diff: true });
    expectNothingGivenAway(preview);
  });

  it("is not shown when it is removed (G02)", async () => {
    product.stack.write(
      programOfBoth(
        `new dynamic.Deployment("chat", { source: "external_container" });
new packaged.Deployment("packaged-chat", { source: "external_container" });`,
      ),
    );
    expectNothingGivenAway(await product.up({ diff: true }));
    expectNothingGivenAway(await product.destroy({ diff: true }));
  });
});
