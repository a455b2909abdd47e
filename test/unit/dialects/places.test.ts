/** Which rules hold where the service runs. */
import { expect, it } from "vitest";
import { dashboardAt, dialectAt, dialects } from "../../../provider/dialects";
import { findingsOf } from "../../../provider/dialects/service-rules";
import { unknownValue } from "../../../schema/tree";

const langsmith = dialects["langsmith"]!;
const ownCloud = dialectAt(langsmith, "https://data.example.com/api-host", "https://smith.langchain.com");
const selfHosted = dialectAt(langsmith, "https://data.example.com/api-host");
const aws = dialectAt(langsmith, "https://aws.api.host.langchain.com");

const found = (given: Record<string, unknown>, dialect = ownCloud) =>
  findingsOf({ name: "chat", ...given }, dialect, true).map(({ property, reason, isWarning = false }) => ({
    ...{ property, reason, isWarning },
  }));
const someFolder = { source: "internal_source", sourceDirectory: unknownValue };

it("a deployment in the user's own cloud is recognized by its pages, which are at the vendor's address", () => {
  const page = "/o/{tenant_id}/host/deployments/{id}";
  const at = (dashboard?: string) => dashboardAt(langsmith, "https://data.example.com/api-host", dashboard);
  expect(at("https://smith.langchain.com")).toBe(`https://smith.langchain.com${page}`);
  expect(at()).toBe(`https://data.example.com${page}`);
  expect(selfHosted.namesOf).not.toEqual(ownCloud.namesOf);
});

it("no rule of another place is applied in one's own cloud, where nothing is known of them", () => {
  const name = "x".repeat(22);
  const image = { name, source: "external_container", sourceRevisionConfig: { imageUri: "chat:1" } };
  expect(found(image, selfHosted)).toHaveLength(1);
  expect(found(image)).toEqual([]);
  const reserved = { ...someFolder, secrets: { PORT: "1", POSTGRES_URI: "2" } };
  expect(found(reserved)).toMatchObject([{ property: "secrets.POSTGRES_URI", isWarning: false }]);
  expect(found(reserved, aws)).toHaveLength(2);
});

it.each(["dev_zero", "dev_free_zero"])("%s scales to zero, which AWS does not support: a warning", (type) => {
  const given = { ...someFolder, sourceConfig: { deploymentType: type } };
  const property = "sourceConfig.deploymentType";
  const reason =
    "scales to zero, which the service does not support on AWS: declare another type, such as dedicated";
  expect(found(given, aws)).toEqual([{ property, reason, isWarning: true }]);
  expect(found(given)).toEqual([]);
  for (const region of ["us", "eu", "apac"])
    expect(found(given, dialectAt(langsmith, langsmith.regions[region]!))).toEqual([]);
  expect(found({ ...given, sourceConfig: { deploymentType: "prod" } }, aws)).toEqual([]);
});
