import { fromManifest } from "pulumi-deployment-service";

export const { chat, search } = fromManifest("deployments.yaml");
