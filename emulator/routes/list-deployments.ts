import type { Filter } from "../rules/rules";
import { deploymentResponse, sourceConfigResponse } from "../state/response";
import type { ControlPlane, PageOrder } from "../state/control-plane";
import type { DeploymentRecord } from "../state/record";
import { countPoll } from "../state/settle";
import { findDeployment } from "./find-deployment";
import type { Handler } from "./handler";
import type { FilterValue } from "./query";

/** Only the deployments that the response contains have been polled. */
export const listDeployments: Handler = ({ plane, query }) => {
  const { limit, offset, filters } = query;
  const page = plane.deployments
    .filter((record) => filters.every(({ filter, value }) => matches(plane, record, filter, value)))
    .sort(orders[plane.settings.pageOrder])
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

const orders: Record<PageOrder, (a: DeploymentRecord, b: DeploymentRecord) => number> = {
  "newest-first": (a, b) => b.sequence - a.sequence,
  "oldest-first": (a, b) => a.sequence - b.sequence,
  "by-name": (a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0),
};

function matches(plane: ControlPlane, record: DeploymentRecord, filter: Filter, value: FilterValue): boolean {
  switch (filter) {
    case "nameContains":
      return record.name.includes(String(value));
    case "name":
      return record.name === value;
    case "status":
      return record.status === value;
    case "remoteReconciled":
      return record.remote_reconciled === value;
    case "tags":
      return record.tag_value_ids.some((tag) => Array.isArray(value) && value.includes(tag));
    case "imageVersion":
      return record.image_version === value;
    case "deploymentType":
      return sourceConfigResponse(plane, record)[plane.rules.responses.deploymentTypeField] === value;
    case "ids":
      return Array.isArray(value) && value.some((id) => id.toLowerCase() === record.id);
    default:
      return true;
  }
}
