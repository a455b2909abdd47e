import { fromManifest } from "pulumi-deployment-service";

const { chat } = fromManifest("deployments.yaml");

export const url = chat?.url;
