/**
 * What the service answers: only the fields that are read, and lenient in all that does not matter here.
 * Specification, sections 2.1, 2.2 and 4.3.
 */
import { z } from "zod";

const values = z.record(z.string(), z.unknown()).nullish();
const text = z.string().nullish();

/**
 * The specification says a UUID. An id goes into paths and into lists with commas, so that no more is let through than
 * what means nothing there.
 */
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
  image_version: text,
  /** Where a newer service shows the address; an older one has it in `source_config.custom_url`. */
  url: text,
  route_through_gateway: z.boolean().nullish(),
});
export type WireDeployment = z.infer<typeof WireDeployment>;

/** Only where the service takes uploads. */
export const WireUpload = z.looseObject({
  upload_url: z.string().min(1),
  object_path: z.string().min(1),
  /** Sent with the upload, where the storage wants headers of its own. */
  upload_headers: z.record(z.string(), z.string()).nullish(),
});

/** Only where the service has revisions to ask for. */
export const WireRevision = z.looseObject({
  id: z.string().min(1),
  status: z.string(),
  created_at: text,
  source_revision_config: values,
  /** Why it failed. Not every version of the service fills it. */
  status_message: text.catch(undefined),
});

export type WireRevision = z.infer<typeof WireRevision>;

export const WireRevisions = z.looseObject({ resources: z.array(WireRevision) });

export const WireLog = z.looseObject({
  logs: z.array(z.unknown()),
  next_offset: z.union([z.string(), z.int()]).nullish(),
});

/** Each deployment is read by itself, so that a foreign one that nobody understands spoils none of the others. */
export const WirePage = z.looseObject({ resources: z.array(z.unknown()), offset: z.int() });

/** Of a page of the list only whose deployments they are, however odd one of them may be. */
export const WireTenants = z.looseObject({
  resources: z.array(z.looseObject({ tenant_id: text.catch(null) }).catch({ tenant_id: null })),
});
export type WireTenants = z.infer<typeof WireTenants>;

export const WireIntegrations = z.array(
  z.looseObject({ id: z.string(), installation_id: z.int(), name: z.string() }),
);
export type WireIntegrations = z.infer<typeof WireIntegrations>;

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
export type WireRepositories = z.infer<typeof WireRepositories>;
