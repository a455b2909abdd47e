import { valueAt } from "../json-values";
import type { FilterValue } from "../rules/query";
import type { ControlPlane } from "../state/control-plane";
import type { DeploymentRecord } from "../state/deployment-record";
import { countPoll } from "../state/revision-rollout";
import { findDeployment, type Handler } from "./call";
import { deploymentResponse, sourceConfigResponse } from "./responses";

/** Newest first. Only the deployments in the response count as polled. */
export const listDeployments: Handler = ({ plane, query: { limit, offset, filters } }) => {
  const page = plane.deployments
    .filter((record) =>
      Object.entries(filters).every(([name, value]) => matches[name]?.(record, value, plane) ?? true),
    )
    .sort((a, b) => b.sequence - a.sequence)
    .slice(offset, offset + limit);
  const resources = page.map((record) => deploymentResponse(plane, record));
  countPoll(plane, page);
  return { status: 200, body: { resources, offset: offset + page.length } };
};

export const getDeployment: Handler = (call) => {
  const record = findDeployment(call);
  const body = deploymentResponse(call.plane, record);
  countPoll(call.plane, [record]);
  return { status: 200, body };
};

type Matches = (record: DeploymentRecord, value: FilterValue, plane: ControlPlane) => boolean;

const matches: Readonly<Record<string, Matches>> = {
  name_contains: (record, value) => record.name.includes(String(value)),
  name: (record, value) => record.name === value,
  url: (record, value, plane) => deploymentResponse(plane, record)["url"] === value,
  status: (record, value) => record.status === value,
  remote_reconciled: (record, value) => record.remote_reconciled === value,
  tag_value_ids: (record, value) => record.tag_value_ids.some((tag) => listed(value).includes(tag)),
  image_version: (record, value) => record.image_version === value,
  deployment_type: (record, value, plane) =>
    valueAt(sourceConfigResponse(plane, record), "deployment_type") === value,
  deployment_ids: (record, value) => listed(value).some((id) => id.toLowerCase() === record.id),
};

function listed(value: FilterValue): string[] {
  return Array.isArray(value) ? value : [];
}
