import { sourceConfigResponse } from "../state/response";
import type { Handler } from "./handler";

export const countFreeDeployments: Handler = ({ plane }) => {
  const { deploymentTypeField } = plane.rules.responses;
  const types = plane.deployments.map((record) => sourceConfigResponse(plane, record)[deploymentTypeField]);
  return { status: 200, body: { count: types.filter((type) => String(type).includes("free")).length } };
};
