import type { Emulator, JsonObject } from "../../emulator";

const integrationId = "6f0e6c1a-1f0b-4c53-9c3e-3f1c9a0d2b11";

const repository = (name: string, branch = "main") => ({
  host_integration_id: integrationId,
  id: name.length,
  name,
  owner: "acme",
  url: `https://code.example.com/acme/${name}`,
  default_branch: branch,
});

/** Things that happen on the service, by the name that a document gives them: `<!-- outside: more-cpu -->`. */
export const outside: Readonly<Record<string, (emulator: Emulator) => void>> = {
  "more-cpu": (emulator) => {
    emulator.change("chat", ({ source_config }) => {
      (source_config["resource_spec"] as JsonObject)["cpu"] = 4;
    });
  },
  "stuck-rollout": (emulator) => emulator.configure({ rollout: "never" }),
  "staging-builds": (emulator) => {
    emulator.configure({ rollout: "never" });
    emulator.change("chat-staging", () => undefined, { revision: true });
  },
  "staging-runs": (emulator) => {
    emulator.configure({ rollout: { polls: 2 } });
    emulator.finish("chat-staging");
  },
  "builds-fail": (emulator) => emulator.configure({ rollout: { polls: 2, fails: "BUILD_FAILED" } }),
  "builds-succeed": (emulator) => emulator.configure({ rollout: { polls: 2 } }),
  "rollout-ends": (emulator) => void emulator.finish("chat"),
  "by-hand": (emulator) => {
    emulator.create({
      name: "search",
      source: "codehost",
      source_config: { integration_id: integrationId, repo_url: "https://code.example.com/acme/search" },
      source_revision_config: { repo_ref: "main", graph_config_path: "graph.json" },
      secrets: [{ name: "INDEX_KEY", value: "made-by-hand" }],
    });
  },
  repositories: (emulator) =>
    emulator.repositories(integrationId, [repository("chat"), repository("search", "trunk")]),
  "three-by-hand": (emulator) => {
    emulator.create({
      name: "chat",
      source: "codehost",
      source_config: {
        integration_id: integrationId,
        repo_url: "https://code.example.com/acme/chat",
        build_on_push: true,
      },
      source_revision_config: { repo_ref: "main", graph_config_path: "graph.json" },
      secrets: [
        { name: "MODEL_API_KEY", value: "sk-made-by-hand" },
        { name: "DB_PASSWORD", value: "made-by-hand" },
      ],
    });
    emulator.create({
      name: "search",
      source: "external_container",
      source_config: { custom_url: "https://search.example.com", resource_spec: { max_scale: 4, cpu: 2 } },
      source_revision_config: { image_uri: "registry.example.com/search:2.1.0" },
      secrets: [],
      secret_references: [{ name: "INDEX_URL", secret_name: "search-index", secret_key: "url" }],
    });
    emulator.create({
      name: "Weekly report",
      source: "internal_container",
      source_config: { deployment_type: "dev" },
      source_revision_config: { image_uri: "registry.example.com/report:7" },
      secrets: [],
    });
  },
  "one-more-by-hand": (emulator) => {
    emulator.create({
      name: "translate",
      source: "external_container",
      source_config: { resource_spec: {} },
      source_revision_config: { image_uri: "registry.example.com/translate:0.9.0" },
      secrets: [],
    });
  },
};
