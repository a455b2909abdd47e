const units = ["bytes", "KiB", "MiB", "GiB"];

/** Formats an amount of data: `12 bytes`, `3.4 MiB`. */
export function formatSize(bytes: number): string {
  const step = bytes < 1024 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(bytes) / 10));
  const amount = bytes / 1024 ** step;
  return `${step === 0 ? amount : amount.toFixed(1)} ${units[step]}`;
}
