import * as pulumi from "@pulumi/pulumi";
import { Deployment, getDeployment } from "pulumi-deployment-service";

/** The image that staging runs, by its digest: what a tag names changes. */
async function imageOfStaging(): Promise<string> {
  const { activeRevisionId, latestRevisionId, sourceRevisionConfig } = await getDeployment({
    name: "billing-staging",
  });
  const image = sourceRevisionConfig.imageUri ?? "";
  if (activeRevisionId !== latestRevisionId)
    throw new pulumi.RunError(
      `billing-staging does not run ${image} yet: see \`npx pulumi-deployment-service status\``,
    );
  if (!image.includes("@sha256:"))
    throw new pulumi.RunError(`billing-staging runs ${image}, which is no digest`);
  return image;
}

// Set for staging, and for prod to go back.
const chosen = new pulumi.Config().get("image");

export const image = pulumi.output(chosen || imageOfStaging());

new Deployment("billing", {
  name: `billing-${pulumi.getStack()}`,
  source: "external_container",
  sourceRevisionConfig: { imageUri: image },
});
