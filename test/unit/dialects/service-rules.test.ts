import { describe, expect, it } from "vitest";
import type { Planned } from "../../../provider/deployment/state";
import { check } from "../../../provider/deployment/check";
import { findingsOf, reasonText } from "../../../provider/dialects/service-rules";
import { unknownValue, withValueAt, type Values } from "../../../schema/tree";
import { dialectAt, type Dialect } from "../../../provider/dialects";
import { langsmith } from "../../../provider/dialects/langsmith";
import { standard } from "../../../provider/dialects/standard";
import { sources } from "../../../schema/enums";
import { least, resourceId } from "../../support/langsmith";

/** Whatever is uploaded. */
const found = (given: Values, dialect: Dialect, creates: boolean) =>
  findingsOf(given, dialect, creates).filter(({ reason }) => !reason.startsWith("is not set, so nothing"));
const refused = (given: Values, dialect: Dialect = langsmith, creates = true) =>
  found(given, dialect, creates).map((each) => `${each.property} ${reasonText(each)}`);
const at = (given: Values, path: string, value: unknown) => withValueAt(given, path.split("."), value);

/** One value for each field that not every source takes. */
const values: Record<string, unknown> = {
  "sourceConfig.integrationId": resourceId,
  "sourceConfig.repoUrl": "https://github.com/acme/chat",
  "sourceConfig.buildOnPush": false,
  "sourceConfig.customUrl": "https://chat.example.com",
  "sourceConfig.resourceSpec": { cpu: 1 },
  "sourceConfig.listenerId": resourceId,
  "sourceConfig.listenerConfig": { k8sNamespace: "apps" },
  "sourceConfig.installCommand": "npm ci",
  "sourceConfig.buildCommand": "make",
  "sourceConfig.deploymentType": "dev",
  "sourceConfig.templateId": "react-agent",
  "sourceRevisionConfig.repoRef": "main",
  "sourceRevisionConfig.graphConfigPath": "langgraph.json",
  "sourceRevisionConfig.imageUri": "registry.example.com/chat:1",
  "sourceRevisionConfig.sourceTarballPath": "uploads/1.tar.gz",
};

/** What the public service documents: the fields that each source takes, `!` where it needs one. */
const documented: Record<(typeof sources)[number], string> = {
  codehost:
    "integrationId! repoUrl! buildOnPush installCommand buildCommand deploymentType repoRef! graphConfigPath!",
  external_container: "customUrl resourceSpec listenerId listenerConfig imageUri!",
  internal_container: "deploymentType imageUri",
  internal_source: "installCommand buildCommand deploymentType graphConfigPath sourceTarballPath",
  internal_template: "deploymentType templateId",
};

describe.each(sources)("the public service, for source %s", (source) => {
  const fields = documented[source].split(" ");
  const lastOf = (path: string) => path.split(".").at(-1)!;
  const takes = (path: string) => fields.some((field) => field.replace("!", "") === lastOf(path));
  const needs = (path: string) => fields.includes(`${lastOf(path)}!`);
  const paths = Object.keys(values);

  it("is given what it needs and takes, and refuses nothing of it", () => {
    const whole = paths.filter(takes).reduce((all, path) => at(all, path, values[path]), least[source]);
    expect(refused(whole, langsmith, false)).toEqual([]);
    expect(refused(least[source])).toEqual([]);
  });

  it("refuses each field of another source, on creation and later (A11)", () => {
    for (const path of paths.filter((each) => !takes(each))) {
      const given = at(least[source], path, values[path]);
      for (const creates of [true, false]) {
        const said = refused(given, langsmith, creates);
        expect(said, path).toEqual([
          expect.stringMatching(`^${path} is not for source ${source}, only for `),
        ]);
      }
    }
  });

  it("asks for each field that it needs to be created, and for none of them later", () => {
    const missing = paths.filter(needs).map((path) => {
      const found = path.endsWith("integrationId")
        ? ": `npx pulumi-deployment-service integrations` lists possible values"
        : "";
      return `${path} is required for source ${source} (dialect langsmith)${found}`;
    });
    const bare = { name: "chat", source };
    expect(refused(bare).sort()).toEqual(missing.sort());
    expect(refused(bare, langsmith, false)).toEqual([]);
  });

  it("refuses nothing that is not known yet", () => {
    for (const path of paths) expect(refused(at(least[source], path, unknownValue)), path).toEqual([]);
    for (const group of ["sourceConfig", "sourceRevisionConfig", "secrets", "secretReferences", "name"]) {
      expect(refused({ ...least[source], [group]: unknownValue }), group).toEqual([]);
    }
    expect(refused({ ...least[source], source: unknownValue })).toEqual([]);
  });
});

describe("a deployment from a folder that no argument declares", () => {
  const bare = { name: "chat", source: "internal_source" };
  const warned = (given: Values, dialect = langsmith, creates = true) =>
    findingsOf(given, dialect, creates).filter(({ property }) => property === "sourceDirectory");

  it("causes a warning where it is created and the service accepts uploads", () => {
    expect(warned(bare)).toMatchObject([
      { reason: expect.stringMatching(/^is not set, so nothing is uploaded/) as string, isWarning: true },
    ]);
    expect(warned(bare, langsmith, false)).toEqual([]);
    expect(warned(bare, standard)).toEqual([]);
  });

  it.each([
    { sourceDirectory: "./agent" },
    { sourceDirectory: unknownValue },
    { sourceRevisionConfig: { sourceTarballPath: "uploads/1.tar.gz" } },
    { revisionSource: "codehost" },
  ])("causes none with %j", (more) => {
    expect(warned({ ...bare, ...more })).toEqual([]);
  });
});

describe("a revision from another source", () => {
  const path = "sourceRevisionConfig.sourceTarballPath";
  const uploaded = at({ ...least.codehost, revisionSource: "internal_source" }, path, "uploads/chat.tar.gz");

  it.each([langsmith, standard])("has the fields of both, in dialect $name", (dialect) => {
    expect(refused(uploaded, dialect, false)).toEqual([]);
    expect(refused({ ...uploaded, revisionSource: unknownValue }, dialect, false)).toEqual([]);
  });

  it("has no others, and the deployment keeps the settings of its source", () => {
    const more = at(uploaded, "sourceRevisionConfig.imageUri", "registry.example.com/chat:1");
    expect(refused(more, langsmith, false)).toEqual([
      expect.stringMatching("^sourceRevisionConfig.imageUri is not for source codehost"),
    ]);
    const given = { name: "chat", source: "internal_source", revisionSource: "codehost" };
    expect(refused({ ...given, sourceConfig: { buildOnPush: true } }, langsmith, false)).toEqual([
      expect.stringMatching("^sourceConfig.buildOnPush is not for source internal_source"),
    ]);
  });
});

describe("what is needed to create a deployment", () => {
  const bare = { name: "My_App", source: "codehost" };
  const failing = (old: Planned | undefined, given: Values) =>
    check(old, given, langsmith).failures.map(({ property }) => property);

  it("is required only if the deployment is created: not if it is adopted, imported or of an earlier version (A29)", () => {
    expect(failing(undefined, bare)).toEqual([
      "sourceConfig.integrationId",
      "sourceConfig.repoUrl",
      "sourceRevisionConfig.repoRef",
      "sourceRevisionConfig.graphConfigPath",
      "name",
    ]);
    expect(failing(undefined, { ...bare, adopt: true })).toEqual([]);
    expect(failing({ arguments: bare, generation: 1 }, bare)).toEqual([]);
  });

  it("is only a warning in dialect standard, if nothing could run", () => {
    const warned = sources.flatMap((source) => findingsOf({ name: "My_App", source }, standard, true));
    expect(warned).toMatchObject([
      { property: "sourceConfig.repoUrl", isWarning: true },
      { property: "sourceRevisionConfig.imageUri", isWarning: true },
    ]);
  });
});

it.each([
  ["deploymentType", "serverles", '"serverless"'],
  ["deploymentType", "Dedicated", '"dedicated"'],
  ["deploymentTier", "serverless_s", '"SERVERLESS_S"'],
])("a %s %s, which only resembles one, gets a warning with the one that was meant", (name, value, meant) => {
  const given = at(least.internal_source, `sourceConfig.${name}`, value);
  const reasons = findingsOf(given, langsmith, false).map(reasonText);
  expect(reasons).toEqual([expect.stringMatching(`it is sent unchanged; did you mean ${meant}\\?$`)]);
  const other = at(least.internal_source, `sourceConfig.${name}`, "something-new");
  expect(reasonText(findingsOf(other, langsmith, false)[0]!)).not.toContain("did you mean");
});

it("a field of another source is only a warning in dialect standard, also later", () => {
  const misfit = at({ name: "chat", source: "codehost" }, "sourceRevisionConfig.imageUri", "chat:1");
  expect(check({ arguments: misfit, generation: 1 }, misfit, standard)).toMatchObject({
    failures: [],
    warnings: [
      {
        property: "sourceRevisionConfig.imageUri",
        reason: "is not for source codehost, only for external_container, internal_container",
      },
    ],
  });
});

it("a tag that may move gets a hint, again whenever something changes, and only then", () => {
  const args = { name: "chat", source: "external_container" };
  const given = { ...args, sourceRevisionConfig: { imageUri: "chat:latest" } };
  const hint = expect.stringMatching(/latest: pushing .* or set `triggers`$/) as unknown;
  const first = check(undefined, given, standard);
  expect(first.hints).toEqual([hint]);
  const resized = { ...given, sourceConfig: { resourceSpec: { cpu: 2 } } };
  expect(check(first.inputs, resized, standard).hints).toEqual([hint]);
  expect(check(first.inputs, given, standard).hints).toEqual([]);
});

describe("a type that scales to zero", () => {
  const given = { name: "chat", source: "internal_source", sourceConfig: { deploymentType: "dev_zero" } };

  it("is the public service's alone", () => {
    expect(refused(given)).toEqual([]);
    expect(refused(given, standard)).toEqual([
      'sourceConfig.deploymentType "dev_zero" must be one of dev_free, dev, prod in dialect standard; serverless, dedicated ' +
        "and the types with zero exist only in langsmith: to use them, set `deployment-service:dialect` (DEPLOYMENT_SERVICE_DIALECT) to langsmith",
    ]);
  });

  it("is not for an external container, whose `minScale` is never 0", () => {
    const none = { resourceSpec: { minScale: 0 } };
    expect(refused({ ...least.external_container, sourceConfig: none })).toEqual([
      "sourceConfig.resourceSpec.minScale must be at least 1: the service does not scale an external_container to zero",
    ]);
  });
});

it.each([
  ["internal_source", "sourceRevisionConfig.sourceTarballPath", "uploads/chat.tar.gz"],
  ["internal_container", "sourceRevisionConfig.imageUri", "registry.example.com/chat:1"],
] as const)(
  "what is uploaded or pushed to a deployment of %s cannot be there before it",
  (source, path, value) => {
    const uploaded = at(least[source], path, value);
    expect(refused(uploaded)).toEqual([
      `${path} cannot be set before the deployment exists: create the deployment without it, then add it`,
    ]);
    expect(refused(uploaded, langsmith, false)).toEqual([]);
    expect(refused(uploaded, standard)).toEqual([]);
  },
);

describe("a name", () => {
  const named = (name: string) => refused({ ...least.external_container, name });

  it("has at most 63 lowercase letters, digits and dashes (A29)", () => {
    for (const name of ["chat", "a", "2chat--2", "x".repeat(63)]) expect(named(name)).toEqual([]);
    for (const name of ["My_App", "-chat", "chat-", "chat bot", "ünï", "chat\n", "", "x".repeat(64)])
      expect(named(name)).toEqual([
        expect.stringContaining("must have at most 63 lowercase letters, digits"),
      ]);
  });

  it("of a new image on a self-hosted instance has at most 21 characters", () => {
    const own = dialectAt(langsmith, "https://platform.example.com/api-host");
    const eu = dialectAt(langsmith, "https://eu.api.host.langchain.com");
    const long = { ...least.external_container, name: "x".repeat(22) };
    expect(refused({ ...long, name: "x".repeat(21) }, own)).toEqual([]);
    expect(refused(long, own)).toEqual([
      `name "${long.name}" (22 characters) must have at most 21 characters on a self-hosted instance: its autoscaler adds 42 characters, and a deployment with a longer name would never become ready; the logical name is used if \`name\` is not set`,
    ]);
    expect(refused(long, own, false)).toEqual([]);
    expect(refused({ ...least.internal_container, name: long.name }, own)).toEqual([]);
    expect(refused(at(long, "sourceConfig.listenerId", resourceId), eu)).toEqual([]);
  });
});

describe("names of secrets (A28)", () => {
  const withSecrets = (names: string[], dialect = langsmith) => {
    const secrets = Object.fromEntries(names.map((name) => [name, "hush"]));
    return refused({ ...least.internal_container, secrets }, dialect);
  };
  const free = ["LANGSMITH_API_KEY", "POSTGRES_URI_CUSTOM", "PORT", "LSD_ENV"];
  const isReserved = (property: string) => `${property} is a reserved name: the platform sets it itself`;

  it("that the platform sets are refused at their place, also among references, on every update", () => {
    expect(withSecrets(["POSTGRES_URI", "MODEL_API_KEY", "LANGSMITH_PROJECT"])).toEqual([
      isReserved("secrets.POSTGRES_URI"),
      isReserved("secrets.LANGSMITH_PROJECT"),
    ]);
    const secretReferences = { DATABASE_URI: { secretName: "db", secretKey: "url" } };
    for (const creates of [true, false]) {
      expect(refused({ ...least.external_container, secretReferences }, langsmith, creates)).toEqual([
        isReserved("secretReferences.DATABASE_URI"),
      ]);
    }
  });

  it.each([
    ["https://api.host.langchain.com", true],
    ["https://EU.api.host.LangChain.com:443/x", true],
    ["https://langchain.com", true],
    ["https://agents.example.com", false],
    ["https://langchain.com.example.com", false],
    ["https://mylangchain.com", false],
    ["http://127.0.0.1:1", false],
  ])("that only the public hosts set are refused at %s: %s", (url, isPublic) => {
    const refusals = isPublic ? free.map((name) => isReserved(`secrets.${name}`)) : [];
    expect(withSecrets(free, dialectAt(langsmith, url))).toEqual(refusals);
    expect(withSecrets(["POSTGRES_URI"], dialectAt(langsmith, url))).toHaveLength(1);
    expect(withSecrets([...free, "POSTGRES_URI"], dialectAt(standard, url))).toEqual([]);
  });
});

it("building on each push needs a branch (A15)", () => {
  const refusals = (repoRef: unknown) => {
    const given = at(least.codehost, "sourceRevisionConfig.repoRef", repoRef);
    return refused(at(given, "sourceConfig.buildOnPush", true));
  };
  expect(refusals("refs/tags/v1")).toEqual([
    "sourceConfig.buildOnPush cannot be true with a tag in sourceRevisionConfig.repoRef: it requires a branch",
  ]);
  for (const branch of ["main", "heads/refs/tags/x", unknownValue]) expect(refusals(branch)).toEqual([]);
});

it("deleting the tracing project is a warning where there are none, so that one manifest fits both", () => {
  const given = { ...least.external_container, deleteTracingProject: true };
  expect(findingsOf(given, langsmith, true)).toEqual([]);
  const reason = "has no effect: a service of dialect standard has no tracing projects";
  expect(findingsOf(given, standard, true)).toMatchObject([
    { property: "deleteTracingProject", reason, isWarning: true },
  ]);
});

it("an image at the public service without a listener of a cluster causes a warning", () => {
  const image: Values = { ...least.external_container, source: "external_container" };
  const cloud = dialectAt(langsmith, "https://eu.api.host.langchain.com");
  const told = (given: Values, dialect = cloud) =>
    findingsOf(given, dialect, true).filter(({ reason }) => reason.includes("without a listener"));
  expect(told(image)).toMatchObject([{ property: "source", isWarning: true }]);
  expect(told(withValueAt(image, ["sourceConfig", "listenerId"], resourceId))).toEqual([]);
  expect(told(withValueAt(image, ["sourceConfig", "listenerId"], unknownValue))).toEqual([]);
  expect(told({ ...image, sourceConfig: unknownValue })).toEqual([]);
  expect(told(image, dialectAt(langsmith, "https://platform.example.com"))).toEqual([]);
});
