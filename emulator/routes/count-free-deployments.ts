import { sourceConfigResponse } from "../state/response";
import type { Handler } from "./handler";

export const countFreeDeployments: Handler = ({ plane: { rules, deployments } }) => {
  const types = deployments.map(
    (record) => sourceConfigResponse(rules, record)[rules.responses.deploymentTypeField],
  );
  return { status: 200, body: { count: types.filter((type) => String(type).includes("free")).length } };
};
