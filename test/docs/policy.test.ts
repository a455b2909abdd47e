/** Starts the documented policy packs as the engine does, with the real `@pulumi/policy`. */
import { spawn } from "node:child_process";
import { resolve } from "node:path";
import { credentials } from "@grpc/grpc-js";
import { AnalyzerClient } from "@pulumi/pulumi/proto/analyzer_grpc_pb";
import {
  AnalyzerResourceOptions,
  AnalyzeRequest,
  type AnalyzeResponse,
} from "@pulumi/pulumi/proto/analyzer_pb";
import { Struct } from "google-protobuf/google/protobuf/struct_pb";
import ts from "typescript";
import { expect, it, onTestFinished } from "vitest";
import { scratch } from "../support/folders";
import { read } from "./documents";
import { fencesIn } from "./markdown";

const fences = fencesIn(read("docs/recipes/policy.md"));
const textOf = (language: string) => fences.find((each) => each.language === language)!.text;
const dynamic = "pulumi-nodejs:dynamic/deployment-service:Deployment";

/** Starts a pack, and returns what reports the policies that a resource violates. */
async function start(program: string) {
  const { outputText } = ts.transpileModule(program, { compilerOptions: { module: ts.ModuleKind.CommonJS } });
  const folder = scratch({ "index.js": outputText, "package.json": textOf("json") });
  const env = { ...process.env, NODE_PATH: resolve("node_modules") };
  const pack = spawn(process.execPath, ["index.js"], { cwd: folder, env, stdio: ["ignore", "pipe", "pipe"] });
  onTestFinished(() => void pack.kill());
  const port = await new Promise<string>((started, failed) => {
    pack.stdout.once("data", (text: Buffer) => started(text.toString().trim()));
    pack.stderr.on("data", (text: Buffer) => failed(new Error(text.toString())));
  });
  const client = new AnalyzerClient(`127.0.0.1:${port}`, credentials.createInsecure());
  return (type: string, props: Record<string, unknown>) => {
    const request = new AnalyzeRequest()
      .setType(type)
      .setName("chat")
      .setUrn(`urn:pulumi:dev::shop::${type}::chat`)
      .setOptions(new AnalyzerResourceOptions())
      .setProperties(Struct.fromJavaScript(props as never));
    return new Promise<string[]>((done, failed) => {
      client.analyze(request, (error: Error | null, response: AnalyzeResponse) => {
        if (error) failed(error);
        else done(response.getDiagnosticsList().map((each) => each.getPolicyname()));
      });
    });
  };
}

const digest = `registry.example.com/chat@sha256:${"0f".repeat(32)}`;
const limited = { maxScale: 3, memoryLimitMb: 512 };
const packaged = "deployment-service:index:Deployment";

const deployment = (imageUri: string, resourceSpec?: object) => ({
  sourceConfig: { ...(resourceSpec && { resourceSpec }) },
  sourceRevisionConfig: { imageUri },
});

it("the documented policy pack starts, and judges deployments", async () => {
  const violated = await start(textOf("ts"));
  const cases: [string, Record<string, unknown>, string[]][] = [
    [dynamic, deployment(digest, limited), []],
    [dynamic, deployment("registry.example.com/chat:1", limited), ["image-by-digest"]],
    [packaged, deployment("registry.example.com/chat:1", limited), ["image-by-digest"]],
    [packaged, deployment(digest), ["limits", "limits"]],
    [dynamic, deployment(digest, { ...limited, maxScale: 11 }), ["limits"]],
    [dynamic, { sourceConfig: { resourceSpec: limited } }, []],
    ["aws:s3/bucket:Bucket", {}, []],
  ];
  for (const [type, props, expected] of cases) expect(await violated(type, props)).toEqual(expected);
});

it("a typed policy runs for deployments alone", async () => {
  const violated = await start(`
import { PolicyPack, validateResourceOfType } from "@pulumi/policy";
import { Deployment } from "pulumi-deployment-service";
new PolicyPack("typed", {
  policies: [{
    name: "tagged", description: "x", enforcementLevel: "mandatory",
    validateResource: validateResourceOfType(Deployment, (args, _, report) => {
      if (args.sourceRevisionConfig?.imageUri?.endsWith(":1")) report("no");
    }),
  }],
});`);
  expect(await violated(dynamic, deployment("chat:1"))).toEqual(["tagged"]);
  expect(await violated("aws:s3/bucket:Bucket", deployment("chat:1"))).toEqual([]);
});
