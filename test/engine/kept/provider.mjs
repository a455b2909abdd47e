/**
 * Is the provider process of the runs of stacks, for either provider: the SDK is loaded once and not by each of them, which is the
 * largest part of what a run costs. The script that the engine wants and the product are loaded anew for each run, with the
 * folder, the arguments and the variables that the engine gave. The engine starts `bin/node`, which asks for that here.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { ownChannels } from "./own-channels.mjs";
import { forgetProduct } from "./product.mjs";
import { parseVariable, setVariables } from "./variables.mjs";

ownChannels();
const require = createRequire(import.meta.url);

/** What the SDK and the product listen to, in each run anew. */
const events = ["uncaughtException", "unhandledRejection", "exit", "SIGINT", "SIGTERM"];

const home = process.cwd();

/** The run that is served: one at a time, because variables and the folder are the process's. */
let run;

/** The run that code belongs to: what a former one left behind may still speak, or end. */
const runs = new AsyncLocalStorage();

const listener = createServer((connection) => {
  let text = "";
  connection.setEncoding("utf8").on("error", () => connection.destroy());
  connection.on("data", function receive(more) {
    text += more;
    if (!text.endsWith("\0\0")) return;
    connection.off("data", receive).resume();
    const [what, ...values] = text.slice(0, -2).split("\0");
    if (what === "stderr") run.stderr = connection;
    else begin(connection, values);
  });
});

function begin(connection, [folder, count, script, ...values]) {
  connection.write("run\n");
  connection.once("close", end);
  run = { stdout: connection, servers: [] };
  const variablesFrom = Number(count) - 1;
  setVariables(Object.fromEntries(values.slice(variablesFrom).map(parseVariable)));
  process.chdir(folder);
  process.argv = [process.execPath, script, ...values.slice(0, variablesFrom)];
  forgetProduct((file) => file === script);
  const { Server } = require("@grpc/grpc-js");
  rememberServers(Server);
  runs.run(run, () => require(script));
}

let isPatched = false;

function rememberServers(Server) {
  if (isPatched) return;
  isPatched = true;
  const { bindAsync } = Server.prototype;
  Server.prototype.bindAsync = function (...args) {
    run?.servers.push(this);
    return bindAsync.apply(this, args);
  };
}

/** The engine ended what it had started. */
function end() {
  const { servers, stderr } = run;
  for (const listen of process.listeners("exit")) listen.call(process, 0);
  for (const event of events) process.removeAllListeners(event);
  keepRunning();
  for (const server of servers) server.forceShutdown();
  stderr?.destroy();
  process.chdir(home);
  run = undefined;
  process.send("free");
}

/** What a run left behind ends with its process; here it fails with nobody to tell. */
function keepRunning() {
  process.on("uncaughtException", () => undefined);
  process.on("unhandledRejection", () => undefined);
}

const exit = process.exit.bind(process);
const current = () => runs.getStore() ?? run;
process.exit = () => current()?.stdout.destroy();
process.stdout.write = (...args) => current()?.stdout.write(...args) ?? true;
process.stderr.write = (...args) => current()?.stderr?.write(...args) ?? true;
process.on("disconnect", () => exit());
keepRunning();

listener.listen(0, "127.0.0.1", () => process.send({ port: listener.address().port }));
