import { fromManifest } from "pulumi-deployment-service";

const { helpdesk, search } = fromManifest("deployments.yaml");

export const urls = { search: search?.url, helpdesk: helpdesk?.url };
