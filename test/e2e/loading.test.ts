/** A run starts two processes that load this package. Each loads only what it uses. */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, describe, expect, it } from "vitest";

const root = join(__dirname, "../..");

interface Loaded {
  /** Modules of the package itself, relative to `dist`. */
  readonly own: readonly string[];
  /** Names of all packages that modules were loaded from. */
  readonly packages: readonly string[];
  readonly files: readonly string[];
}

/** The modules that are loaded at each call of `now`, by its name. `end` prints them. */
async function loadedBy(code: string): Promise<Readonly<Record<string, Loaded>>> {
  const report = `
    const moments = {};
    const now = (name) => (moments[name] = Object.keys(require.cache));
    const end = () => console.log(JSON.stringify(moments));
    ${code}`;
  const { stdout } = await promisify(execFile)(process.execPath, ["-e", report], { cwd: root });
  const moments = JSON.parse(stdout) as Record<string, string[]>;
  return Object.fromEntries(Object.entries(moments).map(([name, files]) => [name, asLoaded(files)]));
}

function asLoaded(files: readonly string[]): Loaded {
  const dist = join(root, "dist/");
  const names = files.flatMap(
    (file) => /.*[\\/]node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)/.exec(file)?.[1] ?? [],
  );
  return {
    own: files.flatMap((file) => (file.startsWith(dist) ? [file.slice(dist.length)] : [])),
    packages: [...new Set(names)],
    files,
  };
}

/** zod is bundled with the package. */
const zod = "shared/zod.js";

describe("the process of a program", () => {
  let loaded: Readonly<Record<string, Loaded>>;
  beforeAll(async () => {
    loaded = await loadedBy(`
      const { Deployment, getDeployment } = require("./dist/provider/index.js");
      now("imported");
      const pulumi = require("@pulumi/pulumi");
      pulumi.runtime.setMocks({
        newResource: ({ name, inputs }) => ({ id: name + "-id", state: inputs }),
        call: () => ({}),
      });
      const args = {
        source: "external_container",
        sourceRevisionConfig: { imageUri: "registry.example.com/chat:1" },
      };
      const chat = new Deployment("chat", args, { customTimeouts: { create: "5m" } });
      chat.id.apply((id) => {
        if (id !== "chat-id") return;
        now("declared");
        getDeployment({ name: "chat" }, { provider: undefined }).catch(() => now("looked up")).then(end);
      });`);
  });

  it.each(["imported", "declared"])(
    "loads no schemas, YAML or HTTP, and none of what reads manifests or talks to the service, once the package is %s",
    (moment) => {
      const { own, packages } = loaded[moment]!;
      expect(own).toContain("provider/index.js");
      expect(own.filter((file) => /lookups|from-manifest|connect/.test(file))).toEqual([]);
      expect(packages.filter((name) => ["yaml", "undici"].includes(name))).toEqual([]);
      expect(own).not.toContain(zod);
    },
  );

  it("loads few modules for an import of the package", () => {
    expect(loaded["imported"]!.own.length).toBeLessThanOrEqual(16);
  });

  it("loads what a lookup needs when it is called, and no YAML", () => {
    const { own, packages } = loaded["looked up"]!;
    expect(own).toEqual(expect.arrayContaining(["provider/program/lookups.js", zod]));
    expect(packages).not.toContain("yaml");
  });
});

describe("the provider process", () => {
  let loaded: Readonly<Record<string, Loaded>>;
  beforeAll(async () => {
    loaded = await loadedBy(`
      const proxy = require("node:http").createServer();
      proxy.on("connect", (_, client) => {
        client.once("data", () => client.end("HTTP/1.1 404 Not Found\\r\\ncontent-length: 0\\r\\n\\r\\n"));
        client.write("HTTP/1.1 200 Connection Established\\r\\n\\r\\n");
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
        const made = { source: "external_container", sourceRevisionConfig: { imageUri: "registry.example.com/chat:1" } };
        const { inputs } = await provider.check({}, { name: "chat", ...made, __options: { timeouts: { create: "1s" } } });
        await provider.diff("id", { ...inputs, __private: JSON.stringify({ version: 1, shown: {} }) }, inputs);
        now("compared");
        await provider.read("id", {}).catch(({ message }) => message.includes("answered 404") && now("read"));
        end();
        process.exit();
      });`);
  });

  it("loads neither YAML nor HTTP, nor what talks to the service, for a check and a diff", () => {
    const { own, packages } = loaded["compared"]!;
    expect(own).toContain(zod);
    expect(packages.filter((name) => ["yaml", "undici"].includes(name))).toEqual([]);
    expect(own.filter((file) => /service-calls|archive\/folder/.test(file))).toEqual([]);
  });

  it("loads the clients of the HTTP library for a read through a proxy, and not its fetch, WebSocket and caches", () => {
    const files = loaded["read"]!.files.filter((file) => /[\\/]undici[\\/]/.test(file));
    expect(files.length).toBeGreaterThan(0);
    expect(files.filter((file) => /undici[\\/](index|lib[\\/](web|cache|mock))/.test(file))).toEqual([]);
  });
});
