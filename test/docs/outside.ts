import { readFileSync } from "node:fs";
import { parse } from "yaml";
import type { Emulator, JsonObject, Seed } from "../../emulator";

const integrationId = "6f0e6c1a-1f0b-4c53-9c3e-3f1c9a0d2b11";

/** What a reader starts the emulator with. */
const seedOf =
  (example: string) =>
  (emulator: Emulator): void =>
    emulator.seed(parse(readFileSync(`examples/${example}/seed.yaml`, "utf8")) as Seed);

/** Events on the service, by the name in the document: `<!-- outside: more-cpu -->`. */
export const outside: Readonly<Record<string, (emulator: Emulator) => void>> = {
  "more-cpu": (emulator) => {
    emulator.change("chat", ({ source_config }) => {
      (source_config["resource_spec"] as JsonObject)["cpu"] = 4;
    });
  },
  "staging-builds": (emulator) => {
    emulator.configure({ rollout: "never" });
    emulator.change("billing-staging", () => undefined, { revision: true });
  },
  "builds-fail": (emulator) => emulator.configure({ rollout: { polls: 2, fails: "BUILD_FAILED" } }),
  "by-hand": (emulator) => {
    emulator.create({
      name: "search",
      source: "codehost",
      source_config: { integration_id: integrationId, repo_url: "https://code.example.com/acme/search" },
      source_revision_config: { repo_ref: "main", graph_config_path: "graph.json" },
      secrets: [{ name: "INDEX_KEY", value: "made-by-hand" }],
    });
  },
  repositories: seedOf("05-repositories"),
  "three-by-hand": seedOf("04-adopt"),
};
