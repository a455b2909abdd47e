/** The service's responses. Checks only the fields that are read. Specification, sections 2.1, 2.2 and 4.3. */
import { z } from "zod";
import { asObject } from "./tree";

const values = z.record(z.string(), z.unknown()).nullish();
const text = z.string().nullish();

/** The specification says a UUID. Ids are used in paths and comma-separated lists: characters with a meaning there are refused. */
const plainId = /^(?!\.{1,2}$)[\w.~-]{1,200}$/;

export const WireDeployment = z.looseObject({
  id: z.string().regex(plainId, "expected a UUID"),
  name: z.string().nullable(),
  source: z.string(),
  status: z.string(),
  source_config: values,
  source_revision_config: values,
  secrets: z.array(z.looseObject({ name: z.string(), value: text })).nullish(),
  secret_references: z
    .array(z.looseObject({ name: z.string(), secret_name: text, secret_key: text }))
    .nullish(),
  tenant_id: text,
  created_at: text,
  updated_at: text,
  latest_revision_id: text,
  active_revision_id: text,
  // What nothing depends on is treated as not shown if it has another type, so that it stops no operation.
  image_version: text.catch(undefined),
  /** The address in newer versions of the service; older ones return it in `source_config.custom_url`. */
  url: text.catch(undefined),
  route_through_gateway: z.boolean().nullish().catch(undefined),
  is_preview: z.boolean().nullish().catch(undefined),
  is_managed_deep_agent: z.boolean().nullish().catch(undefined),
  tracer_session_id: text.catch(undefined),
  deployment_tier: text.catch(undefined),
  database_tier: text.catch(undefined),
  display_name: text.catch(undefined),
  shareable: z.boolean().nullish().catch(undefined),
});
export type WireDeployment = z.infer<typeof WireDeployment>;

/** A row of a listing, as far as it can be read. An id, a source or a status that cannot be read is empty. */
export function readableRow(given: unknown): WireDeployment {
  const read = Object.entries<z.ZodType>(WireDeployment.shape).map(([name, shape]) => {
    return [name, shape.safeParse(asObject(given)[name]).data ?? null];
  });
  const { id, name, source, status, ...row } = Object.fromEntries(read) as Partial<WireDeployment>;
  return { ...row, id: id ?? "", name: name ?? null, source: source ?? "", status: status ?? "" };
}

/** Only in dialects with uploads. */
export const WireUpload = z.looseObject({
  upload_url: z.string().min(1),
  object_path: z.string().min(1),
  /** Headers that the storage requires for the upload. */
  upload_headers: z.record(z.string(), z.string()).nullish(),
});

/** Only in dialects that list revisions. */
export const WireRevision = z.looseObject({
  id: z.string().min(1),
  status: z.string(),
  created_at: text,
  source_revision_config: values,
  /** The server that it runs on, if the service shows it. */
  image_version: text.catch(undefined),
  /** Why the revision failed. Some versions of the service never set it. */
  status_message: text.catch(undefined),
});

export type WireRevision = z.infer<typeof WireRevision>;

export const WireRevisions = z.looseObject({ resources: z.array(WireRevision) });

export const WireLog = z.looseObject({
  logs: z.array(z.unknown()),
  next_offset: z.union([z.string(), z.int()]).nullish(),
});

export type WireLog = z.infer<typeof WireLog>;

/** Each deployment is parsed separately, so that a malformed one does not affect the others. */
export const WirePage = z.looseObject({ resources: z.array(z.unknown()), offset: z.int() });

export const WireIntegrations = z.array(
  z.looseObject({ id: z.string(), installation_id: z.int(), name: z.string() }),
);

export const WireListeners = z.looseObject({
  resources: z.array(
    z.looseObject({
      id: z.string(),
      compute_id: z.string(),
      compute_config: z.looseObject({ k8s_namespaces: z.array(z.string()).nullish() }).nullish(),
    }),
  ),
});

export const WireRepositories = z.array(
  z.looseObject({
    host_integration_id: z.string(),
    id: z.int(),
    name: z.string(),
    owner: z.string(),
    url: z.string(),
    default_branch: z.string(),
  }),
);
