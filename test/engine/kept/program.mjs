/**
 * Runs the programs of stacks, one at a time, for CLIs that are told where it listens: the SDK is loaded once and not by each
 * run. The program and the product are loaded anew each time.
 */
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { join, sep } from "node:path";
import { ownChannels } from "./own-channels.mjs";
import { forgetProduct } from "./product.mjs";
import { setVariables } from "./variables.mjs";

ownChannels();
const require = createRequire(import.meta.url);
const { Server, ServerCredentials } = require("@grpc/grpc-js");
const { LanguageServer } = require("@pulumi/pulumi/automation/server");
const { LanguageRuntimeService } = require("@pulumi/pulumi/proto/language_grpc_pb");

/** Of the stack whose program runs. */
let folder;
let stopTypeScript;

async function program() {
  const all = require(join(folder, stopTypeScript ? "index.ts" : "index.js"));
  const exported = all.default ?? all;
  return typeof exported === "function" ? exported() : exported;
}

process.on("message", (next) => {
  forgetProduct((file) => folder !== undefined && file.startsWith(folder + sep));
  folder = next.folder;
  process.chdir(folder);
  setVariables(next.env);
  stopTypeScript?.();
  stopTypeScript = existsSync(join(folder, "index.js")) ? undefined : require("tsx/cjs/api").register();
  process.send("ready");
});
process.on("disconnect", () => process.exit());

const server = new Server({ "grpc.max_receive_message_length": -1, "grpc.max_send_message_length": -1 });
server.addService(LanguageRuntimeService, new LanguageServer(program));
server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, port) => {
  if (error) throw error;
  process.send({ port });
});
