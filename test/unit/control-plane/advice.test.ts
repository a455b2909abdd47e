/** What a person can do about the refusals of the public service. */
import { describe, expect, it } from "vitest";
import { sentencesText } from "../../../provider/errors/advice";
import { langsmith } from "../../../provider/dialects/langsmith";
import { failing, post } from "../../support/http";
import { respond } from "../../support/server";

const told = async (status: number, detail: unknown) => {
  const { error } = await failing((response) => respond(response, status, { detail }), post, {
    dialect: langsmith,
  });
  return sentencesText(error);
};

describe("the public service's refusal", () => {
  it.each([
    [
      409,
      "Deployments create a tracing project in LangSmith with the same name as the deployment. There already exists a " +
        "project in LangSmith named: chat",
      "`deleteTracingProject: true`",
    ],
    [409, "A deployment already exists for this agent environment", "or adopt it"],
    [403, "LangSmith Deployment is Not Enabled for this organization", "enable deployments"],
    [403, "This API key requires workspace specification", "`deployment-service:tenantId`"],
    [
      400,
      "Source configuration error: 'source_config.listener_id' is required for workspace with available listener IDs: ['a']",
      "Set `sourceConfig.listenerId`",
    ],
  ])("%i %s names the way out (A21, A22, A25, A26, D03, K13)", async (status, detail, text) => {
    const shown = await told(status, detail);
    expect(shown).toContain(detail);
    expect(shown).toContain(text);
  });

  it("without known words gets the advice for its status, which names settings by key and variable", async () => {
    expect(await told(403, "no")).toContain("The key lacks the permission");
    expect(await told(409, "no")).toContain("This may be temporary");
    for (const status of [403, 404]) {
      const text = await told(status, "no");
      expect(text).toMatch(/`deployment-service:\w+` \(DEPLOYMENT_SERVICE_[A-Z_]+\)/);
      expect(text).not.toMatch(/`deployment-service:\w+`(?! \(DEPLOYMENT_SERVICE_)/);
    }
  });

  it("gives no advice that another service's words ask for", async () => {
    const { error } = await failing(
      (response) => respond(response, 409, { detail: "tracing project" }),
      post,
    );
    expect(error.advice).toBeUndefined();
  });
});
