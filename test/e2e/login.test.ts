/** After a login with the vendor's command line, no address and no key is needed. The token stays in its file. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { expectNoTrace, headerCanary } from "../support/canary";
import { loginFolder } from "../support/login-tool";
import { programOfBoth } from "./plugin-support";
import { useProduct } from "./support";

const tokens = { first: headerCanary("first"), renewed: headerCanary("renewed"), key: headerCanary("key") };
const workspace_id = "00000000-0000-4000-8000-000000000001";

const home = loginFolder();
const { HOME } = home.env as { HOME: string };
afterAll(home.remove);

const names = ["dynamic", "packaged"];
const both = names.map((name) => `new ${name}.Deployment("${name}", { source: "internal_template" });`);

describe("after a login, with either provider,", () => {
  const product = useProduct({
    program: programOfBoth(both.join("\n")),
    emulator: { dialect: "langsmith", pathPrefix: "/api-host", accessToken: tokens.first },
    config: { "deployment-service:dialect": "langsmith" },
    env: {
      DEPLOYMENT_SERVICE_URL: "",
      DEPLOYMENT_SERVICE_API_KEY: "",
      DEPLOYMENT_SERVICE_LOG: "debug",
      ...home.env,
    },
  });
  const shown: string[] = [];
  const login = (accessToken: string, expires_at = "2999-01-01T00:00:00Z") => {
    const api_url = product.emulator.url.replace("/api-host", "/api/v1");
    const oauth = { access_token: accessToken, expires_at };
    home.write({ default: { api_url, api_key: tokens.key, workspace_id, oauth } });
    product.emulator.configure({ accessToken });
  };
  const remember = <T extends { readonly output: string }>(run: T): T => {
    shown.push(run.output, product.stack.stateText());
    return run;
  };

  it("a program is previewed, deployed and refreshed", async () => {
    login(tokens.first);
    const plan = join(HOME, "plan.json");
    remember(await product.preview({ args: [`--save-plan=${plan}`], env: { PULUMI_EXPERIMENTAL: "true" } }));
    shown.push(readFileSync(plan, "utf8"));
    remember(await product.up());
    const made = product.emulator.deployments().map(({ name }) => name);
    expect(made.sort()).toEqual(names);
    const sent = product.emulator.requests().map(({ headers }) => headers);
    expect(new Set(sent.map((each) => each["x-tenant-id"]))).toEqual(new Set([workspace_id]));
    expect(sent.every((each) => each["authorization"] !== undefined && each["x-api-key"] === undefined)).toBe(
      true,
    );
    remember(await product.refresh({ args: ["--expect-no-changes"] }));
  });

  it("a new token does not count as another key: nothing changes, and what was deleted by hand leaves the state", async () => {
    const outputs = () =>
      names.map((name) => ({ ...product.stack.resource(name).outputs, __private: "encrypted anew" }));
    const before = outputs();
    login(tokens.renewed);
    remember(await product.refresh({ args: ["--expect-no-changes"] }));
    remember(await product.up({ args: ["--expect-no-changes"] }));
    expect(outputs()).toEqual(before);
    for (const name of names) product.emulator.remove(name);
    product.emulator.tracingProjects.clear();
    remember(await product.refresh());
    expect((await product.preview()).screen).toContain("2 to create");
  });

  it("an expired or refused token fails with the command that replaces it", async () => {
    login(tokens.renewed);
    home.uninstall();
    await product.up();
    product.emulator.configure({ accessToken: "another" });
    const refused = remember(await product.refresh({ expectFailure: true }));
    expect(refused.output).toContain(
      'Run `langsmith auth login`: the token is that of profile "default" of ~/.langsmith/config.json.',
    );
    expect(refused.output).toContain("`npx pulumi-deployment-service doctor` checks the connection.");
    login(tokens.renewed, "2026-01-01T00:00:00Z");
    const expired = remember(await product.preview({ expectFailure: true }));
    expect(expired.output).toContain(
      "has no valid token, and `langsmith auth token --profile default` failed (`langsmith` is not on PATH)",
    );
    login(tokens.renewed);
    remember(await product.destroy());
  });

  it("no state, log, plan, file or error shows the token or the key", () => {
    expectNoTrace(shown.join("\n"), tokens);
  });
});
