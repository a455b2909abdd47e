import { WireDeployment } from "../../../../schema/wire";
import { Translator } from "../../../../provider/control-plane/translate";
import { standard } from "../../../../provider/dialects/standard";
import type { Observed } from "../../../../provider/deployment/service";

/** A deployment as the client hands it on, from what a service answers: defaults filled in, the rest null. */
export function observed(shown: Record<string, unknown> = {}): Observed {
  const { source_config = {}, source_revision_config = {}, ...rest } = shown;
  const wire = {
    id: "00000000-0000-4000-8000-00000000000a",
    name: "chat",
    source: "external_container",
    status: "READY",
    source_config: {
      integration_id: null,
      build_on_push: false,
      custom_url: "https://chat-0a1b2c3d.apps.example.com",
      deployment_type: "prod",
      resource_spec: { min_scale: 1, max_scale: 1, cpu: 1, memory_mb: 2048, cpu_limit: null, labels: null },
      ...(source_config as object),
    },
    source_revision_config: { repo_ref: null, image_uri: null, ...(source_revision_config as object) },
    secrets: [],
    secret_references: null,
    latest_revision_id: "00000000-0000-4000-8000-00000000000b",
    active_revision_id: "00000000-0000-4000-8000-00000000000b",
    ...rest,
  };
  return new Translator(standard).fromWire(WireDeployment.parse(wire));
}
