/** A run starts two processes that load this package: each loads what it uses. */
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect, it } from "vitest";

const root = join(__dirname, "../..");

interface Loaded {
  /** Modules of the package itself, relative to `dist`. */
  readonly own: readonly string[];
  /** Names of all packages that modules were loaded from. */
  readonly packages: readonly string[];
}

/** What is loaded once the code has called `done`. */
function loadedBy(code: string): Loaded {
  const report = `
    const done = () => process.stdout.write(JSON.stringify(Object.keys(require.cache)));
    ${code}`;
  const modules = JSON.parse(
    execFileSync(process.execPath, ["-e", report], { cwd: root, encoding: "utf8" }),
  ) as string[];
  const below = (folder: string) =>
    modules.flatMap((file) => (file.startsWith(folder) ? [file.slice(folder.length)] : []));
  const names = modules.flatMap(
    (file) => /.*[\\/]node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)/.exec(file)?.[1] ?? [],
  );
  return {
    own: below(join(root, "dist/")),
    packages: [...new Set(names)],
  };
}

/** zod is a part of the package. */
const zod = "shared/zod.js";
const serviceCalls = "provider/engine/service-calls.js";

function expectNoLibraries({ own, packages }: Loaded): void {
  expect(packages.filter((name) => ["yaml", "undici"].includes(name))).toEqual([]);
  expect(own).not.toContain(zod);
}

it("importing the package loads no schemas, YAML or HTTP, and none of what reads manifests or talks to the service", () => {
  const loaded = loadedBy(`require("./dist/provider/index.js"); done();`);
  expect(loaded.own).toContain("provider/index.js");
  expect(loaded.own.length).toBeLessThanOrEqual(16);
  expect(loaded.own.filter((file) => /lookups|from-manifest|connect/.test(file))).toEqual([]);
  expectNoLibraries(loaded);
});

const mocked = `
  const pulumi = require("@pulumi/pulumi");
  pulumi.runtime.setMocks({
    newResource: ({ name, inputs }) => ({ id: name + "-id", state: inputs }),
    call: () => ({}),
  });`;

it("a program that only declares a deployment loads none of these either, whatever its options", () => {
  const loaded = loadedBy(`${mocked}
    const { Deployment } = require("./dist/provider/index.js");
    const args = {
      source: "external_container",
      sourceRevisionConfig: { imageUri: "registry.example.com/chat:1" },
    };
    const chat = new Deployment("chat", args, { customTimeouts: { create: "5m" } });
    chat.id.apply((id) => { if (id === "chat-id") done(); });`);
  expect(loaded.packages).toContain("@pulumi/pulumi");
  expectNoLibraries(loaded);
});

it("a lookup loads what it needs when it is called, and no YAML", () => {
  const loaded = loadedBy(`${mocked}
    const { getDeployment } = require("./dist/provider/index.js");
    getDeployment({ name: "chat" }, { provider: undefined }).catch(done);`);
  expect(loaded.own).toEqual(expect.arrayContaining(["provider/program/lookups.js", zod]));
  expect(loaded.packages).not.toContain("yaml");
});

const checked = `
  const { provider } = require("./dist/provider/dynamic/provider.js");
  const made = { source: "external_container", sourceRevisionConfig: { imageUri: "registry.example.com/chat:1" } };
  const checked = provider.check({}, { name: "chat", ...made, __options: { timeouts: { create: "1s" } } });`;

it("a check and a diff load neither YAML nor HTTP, nor what talks to the service", () => {
  const loaded = loadedBy(`${checked}
    checked.then(({ inputs }) => provider.diff("id", inputs, inputs)).then(done);`);
  expect(loaded.own).toContain(zod);
  expect(loaded.packages).not.toContain("yaml");
  expect(loaded.packages).not.toContain("undici");
  expect(loaded.own).not.toContain(serviceCalls);
  expect(loaded.own).not.toContain("provider/engine/source-folders.js");
});

it("a read loads the clients of the HTTP library, and not its fetch, WebSocket and caches", () => {
  const loaded = execFileSync(
    process.execPath,
    [
      "-e",
      `const server = require("node:http").createServer((_, response) => response.writeHead(401).end());
      server.listen(0, "127.0.0.1", async () => {
        process.env.DEPLOYMENT_SERVICE_URL = "http://127.0.0.1:" + server.address().port;
        process.env.DEPLOYMENT_SERVICE_API_KEY = "key";
        const { provider } = require("./dist/provider/dynamic/provider.js");
        provider.configure({ config: { get: () => undefined } });
        await provider.read("id", {}).catch(() => {});
        console.log(Object.keys(require.cache).join("\\n"));
        process.exit();
      });`,
    ],
    { cwd: root, encoding: "utf8" },
  );
  const files = loaded.split("\n").filter((file) => /[\\/]undici[\\/]/.test(file));
  expect(files.length).toBeGreaterThan(0);
  expect(files.filter((file) => /undici[\\/](index|lib[\\/](web|cache|mock))/.test(file))).toEqual([]);
});

it("a read goes through a proxy with only those clients loaded", () => {
  const printed = execFileSync(
    process.execPath,
    [
      "-e",
      `const proxy = require("node:http").createServer();
      proxy.on("connect", ({ url }, client) => {
        client.once("data", () => client.end("HTTP/1.1 404 Not Found\\r\\ncontent-length: 0\\r\\n\\r\\n"));
        client.write("HTTP/1.1 200 Connection Established\\r\\n\\r\\n");
        console.log(url);
      });
      proxy.listen(0, "127.0.0.1", async () => {
        Object.assign(process.env, {
          HTTP_PROXY: "http://127.0.0.1:" + proxy.address().port,
          DEPLOYMENT_SERVICE_URL: "http://deployments.example.com",
          DEPLOYMENT_SERVICE_ALLOW_HTTP: "true",
          DEPLOYMENT_SERVICE_API_KEY: "key",
        });
        const { provider } = require("./dist/provider/dynamic/provider.js");
        provider.configure({ config: { get: () => undefined } });
        await provider.read("id", {}).catch((error) => console.log(error.message));
        process.exit();
      });`,
    ],
    { cwd: root, encoding: "utf8", env: { PATH: process.env["PATH"] } },
  );
  expect(printed).toMatch(/^deployments\.example\.com:80\n.* answered 404 Not Found/);
});
