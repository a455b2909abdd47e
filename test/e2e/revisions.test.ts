import { describe, expect, it } from "vitest";
import { declaring, useProduct } from "./support";

describe("a deployment", () => {
  let args: Record<string, unknown> = {
    source: "external_container",
    sourceConfig: { resourceSpec: { cpu: 0.5, cpuLimit: 1, labels: { "team.example.com/Name": "a_b" } } },
    sourceRevisionConfig: { imageUri: "registry.example.com/chat:1", graphConfigPath: "graph.json" },
    secrets: { KEY: "k-1", TOKEN: "t-1" },
    secretReferences: { DB_URL: { secretName: "chat-db", secretKey: "url" } },
  };
  const product = useProduct({ program: declaring({ chat: args }) });
  /** `undefined` takes an argument away. */
  const declare = (change: Record<string, unknown>) => {
    args = { ...args, ...change };
    product.stack.write(declaring({ chat: args }));
  };
  const revisions = () => product.emulator.deployment("chat")?.revisions.length;

  it("gets a revision by a new image, and the preview says so (C02)", async () => {
    await product.up();
    declare({
      sourceRevisionConfig: { imageUri: "registry.example.com/chat:2", graphConfigPath: "graph.json" },
    });

    const preview = await product.preview();
    expect(preview.requests).toEqual([]);
    expect(preview.screen).toMatchInlineSnapshot(`
      "Previewing update (dev):
       ~  pulumi-nodejs:dynamic/deployment-service:Deployment chat update [diff: ~generation,sourceRevisionConfig]; chat: creates a new revision (sourceRevisionConfig.imageUri)
      Diagnostics:
        pulumi-nodejs:dynamic/deployment-service:Deployment (chat):
          warning: chat: sourceRevisionConfig.graphConfigPath is not for source external_container, only for codehost, internal_source
          chat: creates a new revision (sourceRevisionConfig.imageUri)
      Resources:
          ~ 1 to update
          1 unchanged"
    `);
    expect((await product.preview({ diff: true })).screen).toMatchInlineSnapshot(`
      "Previewing update (dev):
      chat: creates a new revision (sourceRevisionConfig.imageUri)
      warning: chat: sourceRevisionConfig.graphConfigPath is not for source external_container, only for codehost, internal_source
          ~ pulumi-nodejs:dynamic/deployment-service:Deployment: (update)
            ~ generation          : 1 => 2
            ~ sourceRevisionConfig: {
                ~ imageUri: "registry.example.com/chat:1" => "registry.example.com/chat:2"
              }
      Resources:
          ~ 1 to update
          1 unchanged"
    `);

    const { writes, requests } = await product.up();
    const body = { source_revision_config: { image_uri: "registry.example.com/chat:2" } };
    expect(writes).toEqual([{ method: "PATCH", body }]);
    expect(requests).toContain("GET /v2/deployments 200");
    expect(revisions()).toBe(2);
    expect(product.stack.resource("chat").outputs).toMatchObject({
      generation: 2,
      activeRevisionId: product.emulator.deployment("chat")?.latest_revision_id,
    });
  });

  it("gets no revision by other settings, and nothing is waited for (B01)", async () => {
    declare({
      sourceConfig: {
        buildOnPush: true,
        resourceSpec: { cpu: 2, cpuLimit: 4, labels: { "team.example.com/Name": "a_b" } },
      },
    });
    const { screen, writes, requests } = await product.up({ diff: true });
    expect(screen).toMatchInlineSnapshot(`
      "Updating (dev):
      chat: updates settings, no new revision (sourceConfig.buildOnPush, sourceConfig.resourceSpec.cpu, sourceConfig.resourceSpec.cpuLimit)
      warning: chat: sourceConfig.buildOnPush is not for source external_container, only for codehost
      warning: chat: sourceRevisionConfig.graphConfigPath is not for source external_container, only for codehost, internal_source
          ~ pulumi-nodejs:dynamic/deployment-service:Deployment: (update)
            ~ sourceConfig: {
                + buildOnPush : true
                ~ resourceSpec: {
                    ~ cpu     : 0.5 => 2
                    ~ cpuLimit: 1 => 4
                  }
              }
              --outputs:--
            ~ updatedAt           : "<time>" => "<time>"
      Resources:
          ~ 1 updated
          1 unchanged"
    `);
    const resource_spec = { cpu: 2, cpu_limit: 4, labels: { "team.example.com/Name": "a_b" } };
    const body = { source_config: { build_on_push: true, resource_spec } };
    expect(writes).toEqual([{ method: "PATCH", body }]);
    expect(requests).toEqual(["PATCH /v2/deployments/<id> 200"]);
    expect(revisions()).toBe(2);
  });

  it("is changed by one request, whatever changed (B12, C01, G03)", async () => {
    declare({
      sourceConfig: { buildOnPush: true, customUrl: "https://chat.example.com", resourceSpec: { cpu: 1 } },
      sourceRevisionConfig: { imageUri: "registry.example.com/chat:3", graphConfigPath: "graph.json" },
      secrets: { TOKEN: "t-2", KEY: "k-1" },
      secretReferences: { DB_URL: { secretName: "chat-db", secretKey: "address" } },
    });
    const { screen, writes } = await product.up({ diff: true });
    expect(screen).toMatchInlineSnapshot(`
      "Updating (dev):
      chat: creates a new revision (sourceRevisionConfig.imageUri); also changes sourceConfig.customUrl, sourceConfig.resourceSpec.cpu, sourceConfig.resourceSpec.cpuLimit, sourceConfig.resourceSpec.labels, secrets.TOKEN, secretReferences.DB_URL
      warning: chat: sourceConfig.buildOnPush is not for source external_container, only for codehost
      warning: chat: sourceRevisionConfig.graphConfigPath is not for source external_container, only for codehost, internal_source
          ~ pulumi-nodejs:dynamic/deployment-service:Deployment: (update)
            ~ generation          : 2 => 3
            ~ secretReferences    : {
                ~ DB_URL: {
                    ~ secretKey: "url" => "address"
                  }
              }
            ~ secrets             : [secret] => [secret]
            ~ sourceConfig        : {
                + customUrl   : "https://chat.example.com"
                ~ resourceSpec: {
                    ~ cpu     : 2 => 1
                    - cpuLimit: 4
                    - labels  : {
                        - team.example.com/Name: "a_b"
                      }
                  }
              }
            ~ sourceRevisionConfig: {
                ~ imageUri: "registry.example.com/chat:2" => "registry.example.com/chat:3"
              }
              --outputs:--
            ~ activeRevisionId    : "<id>" => "<id>"
            ~ latestRevisionId    : "<id>" => "<id>"
            ~ updatedAt           : "<time>" => "<time>"
            ~ url                 : "https://chat-<hash>.apps.example.com" => "https://chat.example.com"
      Resources:
          ~ 1 updated
          1 unchanged"
    `);
    const body = {
      source_config: { custom_url: "https://chat.example.com", resource_spec: { cpu: 1 } },
      source_revision_config: { image_uri: "registry.example.com/chat:3" },
      secrets: [
        { name: "KEY", value: "k-1" },
        { name: "TOKEN", value: "t-2" },
      ],
      secret_references: [{ name: "DB_URL", secret_name: "chat-db", secret_key: "address" }],
    };
    expect(writes).toEqual([{ method: "PATCH", body }]);
    expect(revisions()).toBe(3);
  });

  it("is not changed by another order of keys (C21)", async () => {
    const { sourceRevisionConfig, secrets, ...others } = args as Record<string, Record<string, unknown>>;
    const turned = (object: object) => Object.fromEntries(Object.entries(object).reverse());
    product.stack.write(
      declaring({
        chat: {
          secrets: turned(secrets!),
          sourceRevisionConfig: turned(sourceRevisionConfig!),
          ...turned(others),
        },
      }),
    );
    const { requests } = await product.preview({ args: ["--expect-no-changes"] });
    expect(requests).toEqual([]);
  });

  it("loses what is no longer declared (C16, C17)", async () => {
    declare({
      sourceConfig: undefined,
      sourceRevisionConfig: { imageUri: "registry.example.com/chat:3" },
      secrets: {},
      secretReferences: undefined,
    });
    const { screen, writes } = await product.up({ diff: true });
    expect(screen).toMatchInlineSnapshot(`
      "Updating (dev):
      chat: creates a new revision (sourceRevisionConfig.graphConfigPath); also changes sourceConfig.buildOnPush, sourceConfig.customUrl, sourceConfig.resourceSpec.cpu, secrets.KEY, secrets.TOKEN, secretReferences.DB_URL
          ~ pulumi-nodejs:dynamic/deployment-service:Deployment: (update)
            ~ generation          : 3 => 4
            - secretReferences    : {
                - DB_URL: {
                    - secretKey : "address"
                    - secretName: "chat-db"
                  }
              }
            - secrets             : [secret]
            - sourceConfig        : {
                - buildOnPush : true
                - customUrl   : "https://chat.example.com"
                - resourceSpec: {
                    - cpu: 1
                  }
              }
            ~ sourceRevisionConfig: {
                - graphConfigPath: "graph.json"
              }
              --outputs:--
            ~ activeRevisionId    : "<id>" => "<id>"
            ~ latestRevisionId    : "<id>" => "<id>"
            - secretReferences    : {
                - DB_URL: {
                    - secretKey : "address"
                    - secretName: "chat-db"
                  }
              }
            - secrets             : [secret]
            - sourceConfig        : {
                - buildOnPush : true
                - customUrl   : "https://chat.example.com"
                - resourceSpec: {
                    - cpu: 1
                  }
              }
            ~ updatedAt           : "<time>" => "<time>"
            ~ url                 : "https://chat.example.com" => "https://chat-<hash>.apps.example.com"
      Resources:
          ~ 1 updated
          1 unchanged"
    `);
    const body = {
      source_config: { build_on_push: null, custom_url: null, resource_spec: null },
      source_revision_config: { graph_config_path: null },
      secrets: [],
      secret_references: null,
    };
    expect(writes).toEqual([{ method: "PATCH", body }]);
    expect(product.emulator.deployment("chat")).toMatchObject({ secrets: [], source_config: {} });
  });

  it("gets a revision of its present values when only the triggers change (C23, C26)", async () => {
    declare({ triggers: { base: "2026-01", parts: [1, 2] } });
    const { screen, writes } = await product.up({ diff: true });
    expect(screen).toMatchInlineSnapshot(`
      "Updating (dev):
      chat: creates a new revision (triggers)
          ~ pulumi-nodejs:dynamic/deployment-service:Deployment: (update)
            ~ generation: 4 => 5
            + triggers  : {
                + base : "2026-01"
                + parts: [
                +     [0]: 1
                +     [1]: 2
                  ]
              }
              --outputs:--
            ~ activeRevisionId    : "<id>" => "<id>"
            ~ latestRevisionId    : "<id>" => "<id>"
            ~ updatedAt           : "<time>" => "<time>"
      Resources:
          ~ 1 updated
          1 unchanged"
    `);
    const body = { source_revision_config: { image_uri: "registry.example.com/chat:3" } };
    expect(writes).toEqual([{ method: "PATCH", body }]);
    expect(revisions()).toBe(5);
  });

  it("sends the revision's source only together with a revision", async () => {
    declare({ revisionSource: "internal_container" });
    expect((await product.up()).requests).toEqual([]);
    declare({ sourceRevisionConfig: { imageUri: "registry.example.com/chat:4" } });
    const body = {
      revision_source: "internal_container",
      source_revision_config: { image_uri: "registry.example.com/chat:4" },
    };
    expect((await product.up()).writes).toEqual([{ method: "PATCH", body }]);
  });

  it("sends nothing for what only this side reads", async () => {
    declare({ adopt: true, skipAwait: true });
    const { requests, screen } = await product.up({ args: ["--diff"] });
    expect(requests).toEqual([]);
    expect(screen).toMatchInlineSnapshot(`
      "Updating (dev):
          ~ pulumi-nodejs:dynamic/deployment-service:Deployment: (update)
            + adopt    : true
            + skipAwait: true
      Resources:
          ~ 1 updated
          1 unchanged"
    `);
    expect((await product.preview({ args: ["--expect-no-changes"] })).requests).toEqual([]);
    expect((await product.refresh({ args: ["--expect-no-changes"] })).writes).toEqual([]);
  });
});

describe("all sources with all fields", () => {
  const integration_id = "6f0e6c1a-54ab-4a3f-9d5e-0f1b6a1c2d3e";
  const listener_id = "0d2f6b3c-0c5a-4e1e-8f57-5f0c3a9b7e21";
  const env = [{ name: "MODE", value: "all", valueFrom: { fieldRef: { field_path: "x" } } }];
  const volumeMounts = [{ name: "data", mountPath: "/data", subPath: "a", readOnly: true }];
  const containers = [
    {
      name: "helper",
      image: "registry.example.com/helper:1",
      imagePullPolicy: "Always",
      workingDir: "/",
      restartPolicy: "Always",
      command: ["run"],
      args: ["--fast"],
      env,
      envFrom: [{ configMapRef: { name: "shared" } }],
      resources: { limits: { "example.com/gpu": "1" }, requests: { cpu: "100m" } },
      volumeMounts,
      securityContext: { runAsUser: 1000, run_as_group: 2 },
    },
  ];
  const data = { "example.com/snake_case": "1", camelCase: "2", "a.b/C": "3" };
  const volumes = ["configMap", "secret", "emptyDir", "persistentVolumeClaim", "nfs", "projected"]
    .concat("downwardAPI", "csi")
    .map((kind) => ({ name: kind.toLowerCase(), [kind]: { someKey: 1, some_key: { innerKey: [1] } } }));

  /** Specification, section 2.6. */
  const numbers = {
    "": ["min_scale", "max_scale", "cpu", "cpu_limit", "memory_mb", "memory_limit_mb"],
    queue_: ["min_scale", "max_scale", "cpu", "cpu_limit", "memory_mb", "memory_limit_mb"],
    orchestrator_: ["cpu", "cpu_limit", "memory_mb", "memory_limit_mb", "min_scale", "max_scale"],
    executor_: ["cpu", "cpu_limit", "memory_mb", "memory_limit_mb"],
    redis_: ["cpu", "cpu_limit", "memory_mb", "memory_limit_mb"],
    db_: ["cpu", "cpu_limit", "memory_mb", "memory_limit_mb", "storage_gi", "max_connections"],
  };
  const numberOf = (name: string, at: number) => (name.includes("cpu") ? at + 0.25 : at);
  const sizes = Object.fromEntries(
    Object.entries(numbers)
      .flatMap(([component, names]) => names.map((name) => component + name))
      .map((name, at) => [name, numberOf(name, at + 1)]),
  );

  const wire = (source: string) => ({
    name: source.replaceAll("_", "-"),
    source,
    source_config: {
      integration_id,
      repo_url: "https://code.example.com/acme/chat",
      build_on_push: true,
      custom_url: `https://${source}.example.com`,
      resource_spec: {
        ...sizes,
        labels: data,
        annotations: data,
        service_account_name: "runner",
        image_pull_secrets: [{ name: "pull" }],
        volumes,
        volume_mounts: volumeMounts,
        init_containers: containers,
        sidecars: containers,
      },
      listener_id,
      listener_config: { k8s_namespace: "apps" },
      install_command: "npm ci",
      build_command: "npm run build",
      deployment_type: "dev",
    },
    source_revision_config: {
      repo_ref: "main",
      graph_config_path: "graph.json",
      image_uri: "registry.example.com/chat:1",
      source_tarball_path: "uploads/chat.tar.gz",
    },
    secrets: [
      { name: "A_key", value: "1" },
      { name: "B", value: "" },
    ],
    ...(source === "external_container" && {
      secret_references: [{ name: "DB", secret_name: "db", secret_key: "url" }],
    }),
  });
  const sources = ["codehost", "external_container", "internal_container", "internal_source"].concat(
    "internal_template",
  );

  /** The same in the program's words: only the keys of the specification's own objects are renamed. */
  const camel = (object: object) =>
    Object.fromEntries(
      Object.entries(object).map(([key, value]: [string, unknown]) => [
        key.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase()),
        value,
      ]),
    );
  const declared = (source: string) => {
    const { name, source_config, source_revision_config } = wire(source);
    const { resource_spec, listener_config, ...others } = source_config;
    return {
      name,
      source,
      sourceConfig: {
        ...camel(others),
        resourceSpec: camel(resource_spec),
        listenerConfig: camel(listener_config),
      },
      sourceRevisionConfig: camel(source_revision_config),
      secrets: { B: "", A_key: "1" },
      ...(source === "external_container" && {
        secretReferences: { DB: { secretName: "db", secretKey: "url" } },
      }),
    };
  };
  const product = useProduct({
    program: declaring(Object.fromEntries(sources.map((source) => [`my-${source}`, declared(source)]))),
  });

  it("reach the wire as declared (A01)", async () => {
    const { writes } = await product.up();
    expect(Object.keys(sizes)).toHaveLength(32);
    const bySource = writes.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
    expect(bySource).toEqual(sources.map((source) => ({ method: "POST", body: wire(source) })));
  });

  it("come back as declared (E29)", async () => {
    await product.refresh({ args: ["--expect-no-changes"] });
    await product.preview({ args: ["--expect-no-changes"] });
  });
});
