/** How long it takes until there is something to see: what the package adds to the SDK's own start. */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";
import { createInterface } from "node:readline";
import { credentials } from "@grpc/grpc-js";
import { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import * as messages from "@pulumi/pulumi/proto/provider_pb";
import { providerKey, providerText } from "../../../provider/internal-inputs";
import { toStruct, unary } from "../../support/provider-process/grpc";
import { medians, type Benchmark } from "./benchmark";

const root = resolve(__dirname, "../../..");

export const start: Benchmark = {
  name: "start",
  async run({ quick, tell }) {
    const runs = quick ? 3 : 15;
    tell("import");
    const program = await medians(runs, {
      import: () => printedBy(`${importing} report();`),
      one: () => printedBy(`${importing} ${mocks} ${declaring("Deployment")} report();`),
      bare: () => printedBy(`${mocks} begin(); ${declaring("pulumi.CustomResource")} report();`),
    });
    tell("provider process");
    const provider = await medians(runs, {
      empty: () => timeToCheck(emptyProvider),
      own: () => timeToCheck(providerText),
    });
    const unit = "ms";
    return [
      { what: "import of the package, beyond the SDK", value: program.import, unit, atMost: 30 },
      {
        what: "import and the first deployment, beyond a bare resource",
        value: program.one - program.bare,
        unit,
      },
      {
        what: "provider process, from its start to the first check, beyond an empty provider",
        value: provider.own - provider.empty,
        unit,
        atMost: 50,
        note: `${provider.own.toFixed(0)} ms in all`,
      },
    ];
  },
};

const importing = `begin(); const { Deployment } = require("pulumi-deployment-service");`;
const mocks = `pulumi.runtime.setMocks({ newResource: ({ name, inputs }) => ({ id: name, state: inputs }), call: () => ({}) });`;

function declaring(name: string): string {
  const args = `{ source: "external_container", sourceRevisionConfig: { imageUri: "registry.example.com/app:1" } }`;
  return name === "Deployment"
    ? `new Deployment("app", ${args});`
    : `new ${name}("pulumi-nodejs:dynamic:Resource", "app", { __provider: "text", ...${args} });`;
}

/** The milliseconds that a program of its own reports. */
function printedBy(code: string): Promise<number> {
  const program = `
    const pulumi = require("@pulumi/pulumi");
    let began;
    const begin = () => (began = performance.now());
    const report = () => process.stdout.write(String(performance.now() - began));
    ${code}`;
  const printed = execFileSync(process.execPath, ["-e", program], { cwd: root, encoding: "utf8" });
  return Promise.resolve(Number(printed));
}

const emptyProvider = "exports.handler=()=>({check:async(olds,news)=>({inputs:news})});";

/** Milliseconds until the SDK's process has started and answered a first check with that provider. */
async function timeToCheck(provider: string): Promise<number> {
  const began = performance.now();
  const child = spawn(
    process.execPath,
    [resolve(root, "node_modules/@pulumi/pulumi/cmd/dynamic-provider"), "127.0.0.1:1"],
    {
      cwd: root,
      env: { PATH: process.env["PATH"], PULUMI_NODEJS_PROJECT: "bench" },
      stdio: ["ignore", "pipe", "ignore"],
    },
  );
  try {
    const [port] = (await once(createInterface(child.stdout), "line")) as [string];
    const client = new ResourceProviderClient(`127.0.0.1:${port}`, credentials.createInsecure());
    const configuration = new messages.ConfigureRequest().setArgs(toStruct({}));
    await unary<messages.ConfigureResponse>((answer) => client.configure(configuration, answer));
    const request = new messages.CheckRequest()
      .setUrn("urn:pulumi:dev::bench::pulumi-nodejs:dynamic/deployment-service:Deployment::app")
      .setOlds(toStruct({}))
      .setNews(toStruct({ ...news, [providerKey]: provider }));
    await unary<messages.CheckResponse>((answer) => client.check(request, answer));
    client.close();
    return performance.now() - began;
  } finally {
    child.kill("SIGKILL");
  }
}

const news = {
  name: "app",
  source: "external_container",
  sourceRevisionConfig: { imageUri: "registry.example.com/app:1" },
};
