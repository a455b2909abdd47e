/** Those who wait until what a running command shows matches a pattern. */
export class Watchers {
  readonly #looks = new Set<() => void>();

  constructor(
    private readonly shown: () => string,
    private readonly hasEnded: () => boolean,
  ) {}

  /** What is shown has changed, or the command has ended. */
  look(): void {
    for (const look of [...this.#looks]) look();
  }

  /** Resolves with what is shown once it matches. Throws if the command ends before, or shows nothing of it in that time. */
  waitFor(pattern: RegExp | string, timeoutMs = 60_000): Promise<string> {
    return new Promise((resolve, reject) => {
      let isLate = false;
      const look = () => {
        const shown = this.shown();
        const matches = typeof pattern === "string" ? shown.includes(pattern) : pattern.test(shown);
        if (!matches && !this.hasEnded() && !isLate) return;
        this.#looks.delete(look);
        clearTimeout(timer);
        const after = isLate ? `After ${timeoutMs} ms` : "At its end";
        if (matches) resolve(shown);
        else reject(new Error(`${after}, the command had not shown ${pattern}:\n${shown}`));
      };
      const timer = setTimeout(() => {
        isLate = true;
        look();
      }, timeoutMs);
      this.#looks.add(look);
      look();
    });
  }
}
