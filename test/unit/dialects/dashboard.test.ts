import { expect, it } from "vitest";
import { dashboardAt, dialects } from "../../../provider/dialects";

it.each([
  ["https://api.host.langchain.com", "https://smith.langchain.com"],
  ["https://eu.api.host.langchain.com", "https://eu.smith.langchain.com"],
  ["https://apac.api.host.langchain.com", "https://apac.smith.langchain.com"],
  ["https://langsmith.example.com/api-host", "https://langsmith.example.com"],
  ["https://example.com/langsmith/api-host", "https://example.com/langsmith"],
  ["https://api.host.langchain.com.example.com", "https://api.host.langchain.com.example.com"],
])("the service at %s has its dashboard at %s", (service, dashboard) => {
  const page = "/o/{tenant_id}/host/deployments/{id}";
  expect(dashboardAt(dialects["langsmith"]!, service)).toBe(dashboard + page);
  expect(dashboardAt(dialects["standard"]!, service)).toBeUndefined();
});
