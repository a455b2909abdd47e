/** What the references of a manifest stand for, as far as it is known before anything is created. */
import type { Part } from "./reference";

export type Environment = Readonly<Record<string, string | undefined>>;

export interface KnownDialect {
  readonly name: string;
  /**
   * - `connection`: the stack's; a file that mentions another one is an error;
   * - `chosen`: overrides the file's;
   * - `default`: used if the file mentions none.
   */
  readonly is: "connection" | "chosen" | "default";
  /** The address of the service, if known. The public service has more rules. */
  readonly baseUrl?: string | undefined;
  /** The address of its pages, if that is set. */
  readonly dashboard?: string | undefined;
}

/** The values that references can take before anything is created. */
export interface Bindings {
  readonly stack?: string | undefined;
  readonly project?: string | undefined;
  /** The environment; undefined if it is not checked. */
  readonly env?: Environment | undefined;
  /** Looks up configuration, and returns undefined for an unset key. Undefined if configuration is not checked. */
  readonly config?: ((key: string) => ConfigValue | undefined) | undefined;
  /** The dialect whose rules apply, if not only the file decides. */
  readonly dialect?: KnownDialect | undefined;
}

export interface ConfigValue {
  readonly text: string;
  /** Whether the configuration marks it as a secret: messages must not quote it. */
  readonly isSecret: boolean;
}

/**
 * Replaces variables by their values or their defaults, in which nothing else is replaced yet. As in a shell, a default
 * also replaces an empty value. Variables with neither stay.
 */
export function withEnvironment(parts: readonly Part[], env: Environment | undefined): readonly Part[] {
  if (env === undefined) return parts;
  return parts.flatMap((part): readonly Part[] => {
    if (typeof part === "string" || part.kind !== "env") return [part];
    const value = Object.hasOwn(env, part.name) ? env[part.name] : undefined;
    if (value || part.default === undefined) return [value ?? part];
    return withEnvironment(part.default, env);
  });
}

/** The text with all references replaced; undefined if one of them is not known, or secret: messages quote values. */
export function textWithBindings(parts: readonly Part[], known: Bindings): string | undefined {
  const texts = withEnvironment(parts, known.env).map((part) => {
    if (typeof part === "string") return part;
    if (part.kind === "stack") return known.stack;
    if (part.kind === "project") return known.project;
    const setting = part.kind === "config" ? known.config?.(part.key) : undefined;
    return setting?.isSecret ? undefined : setting?.text;
  });
  return texts.includes(undefined) ? undefined : texts.join("");
}
