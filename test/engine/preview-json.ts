/** The parts of `pulumi preview --json` that tests look at. */
export interface PreviewJson {
  steps: PreviewStep[];
  changeSummary: Record<string, number>;
  diagnostics?: { message: string; severity: string; urn?: string }[];
}

export interface PreviewStep {
  op: string;
  urn: string;
  oldState?: PreviewState;
  newState?: PreviewState;
}

interface PreviewState {
  type: string;
  id?: string;
  inputs?: Record<string, unknown>;
  outputs?: Record<string, unknown>;
}
