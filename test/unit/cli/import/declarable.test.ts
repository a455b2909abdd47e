import { describe, expect, it } from "vitest";
import { standard } from "../../../../provider/dialects/standard";
import { newManifest } from "../../../../cli/import/imported-manifest";
import { declaredArguments } from "../../../../provider/lookup/declared-arguments";
import { chooseImports } from "../../../../cli/import/choice";
import { bulkFile } from "../../../../cli/import/bulk-file";
import type { Values } from "../../../../schema/tree";
import { canary, expectNoTrace } from "../../../support/canary";
import { observed } from "./support";

const specOf = (resource_spec: object) => {
  const { args, leftOut } = declaredArguments(observed({ source_config: { resource_spec } }), standard);
  const { resourceSpec } = (args["sourceConfig"] ?? {}) as { resourceSpec?: unknown };
  return { resourceSpec, leftOut: leftOut.map((place) => place.replace("sourceConfig.resourceSpec.", "")) };
};

describe("what cannot be declared", () => {
  it.each<[string, object, object, string]>([
    ["an unknown member", { cpu: 2, sidecars: [{ name: "a", lifecycle: {} }] }, { cpu: 2 }, "sidecars"],
    ["a wrong item", { cpu: 2, sidecars: [{ name: "a" }, 7] }, { cpu: 2 }, "sidecars"],
    ["an incomplete item", { cpu: 2, image_pull_secrets: [{ name: null }] }, { cpu: 2 }, "imagePullSecrets"],
  ])("is left out with its field, which is named: %s", (_, spec, declared, leftOut) => {
    const found = specOf(spec);
    expect(found).toEqual({ resourceSpec: declared, leftOut: [leftOut] });
    const manifest = newManifest(
      chooseImports([observed({ source_config: { resource_spec: spec } })], standard).imported,
      standard,
    );
    expect(manifest).toContain(
      `    # Is not declared, and stays on the service unchanged:\n    #   sourceConfig.resourceSpec.${leftOut}\n`,
    );
  });

  it.each<[string, Values, string]>([
    ["whose name is one of credentials", { name: "LOG_API_KEY", value: "canary" }, "LOG_API_KEY"],
    ...["DB_PASS", "MYSQL_PWD", "redisAuth", "GCP_CREDENTIALS", "GH_PAT", "SENTRY_DSN"].map(
      (name): [string, Values, string] => [
        "whose name is one of credentials",
        { name, value: "canary" },
        name,
      ],
    ),
    ...[
      ...["postgres://u:canary@db/x", "u:canary@tcp(db)/x", "Server=db;Password=canary", "ghp_canary"],
      ...["github_pat_canary", "sk-proj-canary", "Bearer canary", "xoxb-canary", "--token=canary"],
    ].map((value): [string, Values, string] => ["that looks like one", { name: "DB", value }, "DB"]),
  ])("is the value of a container's variable %s, with its list, which is named", (_, variable, name) => {
    const sidecars = [{ name: "log", env: [{ name: "LEVEL", value: "1" }, variable] }];
    const [place, given] = [
      `sidecars[0].env[1].value (${name}, which is a credential)`,
      { cpu: 2, sidecars },
    ];
    expect(specOf(given)).toEqual({ resourceSpec: { cpu: 2 }, leftOut: [place] });
    const { imported } = chooseImports([observed({ source_config: { resource_spec: given } })], standard);
    const files = newManifest(imported, standard) + JSON.stringify(bulkFile(imported, standard));
    expect(files).toContain(name);
    expect(files).not.toContain("canary");
  });

  it.each([
    [["--token=canary"], 0],
    [["--token", "canary"], 1],
  ])("is an argument of a container with a credential, with its list: %j", (own, index) => {
    const sidecars = [{ name: "log", args: own }];
    expect(specOf({ cpu: 2, sidecars })).toEqual({
      resourceSpec: { cpu: 2 },
      leftOut: [`sidecars[0].args[${index}] (a credential)`],
    });
  });

  it("is no variable that only resembles a credential", () => {
    const plain = {
      ...{
        AUTHOR: "me",
        AUTH_ENABLED: "true",
        PATH: "/bin",
        PATCH: "1",
        MODE: "task-force",
        MAX_TOKENS: "9",
      },
      ...{
        A: "--token=$(TOKEN)",
        B: "mailto:me@example.com",
        C: "a.example.com/chat:1@sha256:0af3",
        D: "sk-learn",
      },
      ...{ DB_PASSWORD_FILE: "/run/secrets/db", H: "--token-file=/run/token" },
      ...{ E: "10:30", F: "me@example.com", G: "https://example.com/?page=2" },
    };
    const args = ["--token", "$(TOKEN)", "--token-file", "/run/token", "--token", "--verbose"];
    const env = Object.entries(plain).map(([name, value]) => ({ name, value }));
    expect(
      specOf({ sidecars: [{ name: "log", image: `chat:1@sha256:${"0af3".repeat(16)}`, args, env }] }).leftOut,
    ).toEqual([]);
  });

  it("is reported if a newer service returns it among known values", () => {
    const shown = observed({ source_config: { resource_spec: { cpu: 2 } } });
    Object.assign(shown.sourceConfig["resourceSpec"] as object, { gpu_count: 2, gpu_limit: null });
    const { args, leftOut } = declaredArguments(shown, standard);
    expect(leftOut).toEqual(["sourceConfig.resourceSpec.gpu_count"]);
    expect(args["sourceConfig"]).toMatchObject({ resourceSpec: { cpu: 2 } });
  });

  it("is not what a service says of members that are not set", () => {
    const sidecars = [{ name: "a", image: null, env: [{ name: "B", value: null }] }];
    expect(specOf({ sidecars, labels: { a: "1", b: null } })).toEqual({
      resourceSpec: { sidecars: [{ name: "a", env: [{ name: "B" }] }], labels: { a: "1" } },
      leftOut: [],
    });
  });
});

describe("a repository's address", () => {
  const token = "ghp_0123456789abcdef";
  const secret = canary("secret").replace(/[^\w]/g, "");

  it.each([
    [`https://user:${secret}@code.example.com/acme/chat`, "https://code.example.com/acme/chat"],
    [`https://${token}@code.example.com/acme/chat.git`, "https://code.example.com/acme/chat.git"],
    [`https://code.example.com/acme/chat?private_token=${secret}`, "https://code.example.com/acme/chat"],
    [`ssh://git:${secret}@code.example.com/acme/chat`, "ssh://code.example.com/acme/chat"],
    [`${token}:x@code.example.com/acme/chat`, "code.example.com/acme/chat"],
  ])("is declared without who may read it: %s", (address, shown) => {
    const existing = observed({ source: "codehost", source_config: { repo_url: address } });
    const { imported } = chooseImports([existing], standard);
    const manifest = newManifest(imported, standard);
    const bulk = JSON.stringify(bulkFile(imported, standard));
    expect(manifest).toContain(`repoUrl: ${shown}\n`);
    expectNoTrace(manifest + bulk, { secret });
    expect(manifest + bulk).not.toContain(token);
  });
});

it("a commit is marked as one, since a branch may be meant", () => {
  const declared = (repo_ref: string) => {
    const shown = observed({ source: "codehost", source_revision_config: { repo_ref } });
    return newManifest(chooseImports([shown], standard).imported, standard);
  };
  expect(declared("4f".repeat(20))).toMatch(
    /repoRef: .* # the service returns this commit, not the branch: /,
  );
  expect(declared("main")).toContain("repoRef: main\n");
});
