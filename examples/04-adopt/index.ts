import { fromManifest } from "pulumi-deployment-service";

fromManifest("deployments.yaml");
