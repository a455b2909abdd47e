/** Messages of refused requests. A dialect can replace them. */
export const commonTexts = {
  noSuchEndpoint: "Not Found",
  keyMissing: "An API key is required in the header {header}.",
  keyWrong: "The API key is not valid.",
  tenantRequired: "This API key requires workspace specification: send the header {header}.",
  tenantWrong: "The API key has no access to this workspace.",
  contentType: "The content type must be application/json.",
  bodyTooLarge: "The request body is too large.",
  notFound: "{what} ID {id} not found.",
  nameTaken: "A deployment named '{name}' already exists.",
  nameBeingDeleted: "A deployment named '{name}' already exists.",
  tracingProjectExists: "A tracing project named '{name}' already exists.",
  beingDeleted: "Deployment '{name}' is being deleted.",
  secretReferencesRefused: "'secret_references' is not applicable for source '{source}'.",
  revisionSourceAlone: "'revision_source' needs a change that creates a revision.",
  revisionSourceRefused:
    "Source configuration error: a deployment of source '{source}' cannot take a revision of source '{path}'",
  requiredForSource: "Source configuration error: '{path}' is required for '{source}' source",
  refusedForSource: "Source configuration error: '{path}' is not applicable for '{source}' source",
  pushForTag:
    "Source configuration error: 'source_config.build_on_push' must be false for a tag in 'source_revision_config.repo_ref'",
  reservedName: "'{name}' is a reserved name and cannot be set.",
  noRepositoryAccess: "The integration does not list the repository.",
  listenerRequired:
    "Source configuration error: 'source_config.listener_id' is required for workspace with available listener IDs: [{ids}]",
  listenerUnknown: "Source configuration error: 'source_config.listener_id' {id} is not in the workspace",
  listenerConfigAlone:
    "Source configuration error: 'source_config.listener_config' needs 'source_config.listener_id'",
  namespaceUnknown: "Source configuration error: namespace '{namespace}' is not one of the listener's",
  uploadUnknown:
    "Source configuration error: 'source_revision_config.source_tarball_path' is not the path of a finished upload",
  uploadWithoutLength: "The upload must declare its length.",
  uploadNoArchive: "The upload is not a gzip archive.",
  uploadBody: "A request for an upload URL accepts no body.",
  keyGivenAway: "The header {header} must not be sent to the storage.",
  signature: "The header {header} is not the one that the URL was signed for.",
  uploadRefused: "Upload URL is only available for '{source}' source deployments",
  tierBeforeRevision: "Internal Server Error",
  tierOfOtherFamily: "Tier '{tier}' is not available for deployments of type '{type}'.",
  interruptionRefused: "Revision ID {id} cannot be interrupted: it has ended.",
} as const;

export type TextName = keyof typeof commonTexts;
