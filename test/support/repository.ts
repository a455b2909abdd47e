/** A repository, as the service lists it. */
export function repositoryOf(integrationId: string) {
  return {
    host_integration_id: integrationId,
    id: 7,
    name: "chat",
    owner: "acme",
    url: "https://code.example.com/acme/chat",
    default_branch: "trunk",
  };
}
