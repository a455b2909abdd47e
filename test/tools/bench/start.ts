/** How long a provider process takes from its start to its first response. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";
import { createInterface } from "node:readline";
import { credentials } from "@grpc/grpc-js";
import { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import * as messages from "@pulumi/pulumi/proto/provider_pb";
import { providerKey } from "../../../provider/internal-inputs";
import { toStruct, unary } from "../../support/provider-process/grpc";

const root = resolve(__dirname, "../../..");

/** Milliseconds until the SDK's process has started and answered a first check with that provider. */
export async function timeToCheck(provider: string): Promise<number> {
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
