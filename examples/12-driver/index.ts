import * as pulumi from "@pulumi/pulumi";
import { Deployment } from "pulumi-deployment-service";

/** What a line of `stacks.yaml` may set for its stack. */
interface Overlay {
  readonly imageUri?: string;
  readonly maxScale?: number;
}

const overlay = new pulumi.Config().getObject<Overlay>("overlay") ?? {};
const { imageUri = "registry.example.com/advisor:1.0.0", maxScale = 1 } = overlay;

const advisor = new Deployment("advisor", {
  name: `${pulumi.getStack()}-advisor`,
  source: "external_container",
  sourceConfig: { resourceSpec: { minScale: 1, maxScale } },
  sourceRevisionConfig: { imageUri },
  // A run that was killed may have created it.
  adopt: true,
});

export const url = advisor.url;
