import { fromManifest } from "pulumi-deployment-service";

const { chat, search } = fromManifest("deployments.yaml");

export const urls = { search: search?.url, chat: chat?.url };
