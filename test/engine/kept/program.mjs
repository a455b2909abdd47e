/**
 * Runs the programs of stacks, one at a time, for CLIs that are told where it listens: the SDK is loaded once and not by each
 * run. The program and the product are loaded anew each time.
 */
import { existsSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, sep } from "node:path";
import { ownChannels } from "./own-channels.mjs";
import { forgetProduct } from "./product.mjs";
import { parseVariable, setVariables } from "./variables.mjs";

ownChannels();
const require = createRequire(import.meta.url);
/** The SDK is the program's own. Whoever starts the CLI writes the variables of the run into the file. */
const [, , sdkFile, variablesFile] = process.argv;
const sdk = createRequire(sdkFile);
const { Server, ServerCredentials } = sdk("@grpc/grpc-js");
const { LanguageServer } = sdk("@pulumi/pulumi/automation/server");
const { LanguageRuntimeService } = sdk("@pulumi/pulumi/proto/language_grpc_pb");

/** Of the stack whose program runs. */
let folder;
let stopTypeScript;

async function program() {
  const all = require(join(folder, stopTypeScript ? "index.ts" : "index.js"));
  const exported = all.default ?? all;
  return typeof exported === "function" ? exported() : exported;
}

class KeptServer extends LanguageServer {
  run(call, answer) {
    forgetProduct((file) => folder !== undefined && file.startsWith(folder + sep));
    folder = call.request.getPwd();
    process.chdir(folder);
    const lines = readFileSync(variablesFile, "utf8").split("\0").filter(Boolean);
    setVariables(Object.fromEntries(lines.map(parseVariable)));
    stopTypeScript?.();
    stopTypeScript = existsSync(join(folder, "index.js")) ? undefined : require("tsx/cjs/api").register();
    return super.run(call, answer);
  }
}

process.on("exit", () => rmSync(dirname(variablesFile), { recursive: true, force: true }));
process.on("disconnect", () => process.exit());

const server = new Server({ "grpc.max_receive_message_length": -1, "grpc.max_send_message_length": -1 });
server.addService(LanguageRuntimeService, new KeptServer(program));
server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, port) => {
  if (error) throw error;
  process.send({ port });
});
