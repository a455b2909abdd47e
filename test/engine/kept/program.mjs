/**
 * Runs the program of one stack, again and again, for CLIs that are told where it listens: the SDK is loaded once and not
 * by each run, which halves what a run costs. The program itself is loaded anew each time.
 */
import { createRequire } from "node:module";
import { join, sep } from "node:path";

const require = createRequire(import.meta.url);
const { Server, ServerCredentials } = require("@grpc/grpc-js");
const { LanguageServer } = require("@pulumi/pulumi/automation/server");
const { LanguageRuntimeService } = require("@pulumi/pulumi/proto/language_grpc_pb");

const folder = process.cwd();

async function program() {
  for (const file of Object.keys(require.cache)) {
    if (file.startsWith(folder + sep)) delete require.cache[file];
  }
  const exported = require(join(folder, "index.js"));
  return typeof exported === "function" ? exported() : exported;
}

/** What is set for one run is not there in the next. */
function setVariables(env) {
  for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
  Object.assign(process.env, env);
}

process.on("message", ({ env }) => {
  setVariables(env);
  process.send("ready");
});
process.on("disconnect", () => process.exit());

const server = new Server({ "grpc.max_receive_message_length": -1, "grpc.max_send_message_length": -1 });
server.addService(LanguageRuntimeService, new LanguageServer(program));
server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, port) => {
  if (error) throw error;
  process.send({ port });
});
