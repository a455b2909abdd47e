import { sourceConfigAnswer } from "../state/answer";
import type { Handler } from "./handler";

export const countFreeDeployments: Handler = ({ plane: { rules, deployments } }) => {
  const types = deployments.map(
    (record) => sourceConfigAnswer(rules, record)[rules.answers.deploymentTypeField],
  );
  return { status: 200, body: { count: types.filter((type) => String(type).includes("free")).length } };
};
