interface Checkpoint {
  readonly checkpoint: {
    readonly latest?: { readonly resources?: readonly { readonly type: string }[] } | null;
  };
}

/** Bytes that a dynamic resource takes in the text of a state, on average and without spaces. Undefined where there is none. */
export function bytesPerResource(stateText: string): number | undefined {
  const { latest } = (JSON.parse(stateText) as Checkpoint).checkpoint;
  const resources = (latest?.resources ?? []).filter(({ type }) => type.startsWith("pulumi-nodejs:dynamic"));
  if (resources.length === 0) return undefined;
  const bytes = resources.map((resource) => Buffer.byteLength(JSON.stringify(resource)));
  return bytes.reduce((sum, each) => sum + each) / resources.length;
}
