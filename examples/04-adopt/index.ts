import { Deployment, fromManifest } from "pulumi-deployment-service";

fromManifest("deployments.yaml");

export const { status } = new Deployment("translate", {
  source: "external_container",
  sourceConfig: { resourceSpec: { maxScale: 2 } },
  sourceRevisionConfig: { imageUri: "registry.example.com/translate:0.9.0" },
  adopt: true,
});
