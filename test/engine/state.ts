/** The parts of the CLI's checkpoint that tests look at. */
export interface StateResource {
  urn: string;
  type: string;
  id?: string;
  inputs?: Record<string, unknown>;
  outputs?: Record<string, unknown>;
  protect?: boolean;
  delete?: boolean;
}

export interface State {
  resources: StateResource[];
  pendingOperations: { type: string; resource: StateResource }[];
}

interface Checkpoint {
  checkpoint: {
    latest?: {
      resources?: StateResource[];
      pending_operations?: State["pendingOperations"];
    } | null;
  };
}

export function parseState(text: string): State {
  const { latest } = (JSON.parse(text) as Checkpoint).checkpoint;
  return {
    resources: latest?.resources ?? [],
    pendingOperations: latest?.pending_operations ?? [],
  };
}

/** The one resource with that logical name. Copies that wait to be deleted do not count. */
export function resourceNamed(state: State, name: string): StateResource {
  const found = state.resources.filter((resource) => resource.urn.endsWith(`::${name}`) && !resource.delete);
  if (found.length === 1 && found[0]) return found[0];
  const names = state.resources.map((resource) => resource.urn).join("\n");
  throw new Error(`${found.length} resources of the stack are named ${name}. It holds:\n${names}`);
}
