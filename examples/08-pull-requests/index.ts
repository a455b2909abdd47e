import { fromManifest } from "pulumi-deployment-service";

const { concierge } = fromManifest("deployments.yaml");

export const url = concierge?.url;
