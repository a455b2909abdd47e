const units: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** Milliseconds of a duration such as `200ms`, `2s`, `5m` or `1h30m`; undefined if the text is not one. */
export function parseDuration(text: string): number | undefined {
  if (!/^(\d+(\.\d+)?(ms|s|m|h))+$/.test(text)) return undefined;
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/g)];
  return parts.reduce((sum, [, amount, unit]) => sum + Number(amount) * units[unit!]!, 0);
}

/** Formats a duration: `850ms`, `42s`, `2m5s`, `1h30m`. */
export function formatDuration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)}ms`;
  const seconds = Math.round(ms / 1000);
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  return [h && `${h}h`, m && `${m}m`, s && `${s}s`].filter(Boolean).join("");
}

/** Formats a duration in whole seconds: `0s`, `1m11s`. */
export function formatSeconds(ms: number): string {
  return ms < 1000 ? "0s" : formatDuration(Math.floor(ms / 1000) * 1000);
}
