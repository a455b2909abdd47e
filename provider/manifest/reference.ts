/** Parses the references `${…}` in the manifest's strings. */
import { referable, type Referable } from "../../schema/manifest";
import { didYouMean } from "../../schema/problems";

export type Reference =
  | { readonly kind: "stack" }
  | { readonly kind: "project" }
  | { readonly kind: "config"; readonly key: string }
  | { readonly kind: "env"; readonly name: string; readonly default: string | undefined }
  | { readonly kind: "output"; readonly deployment: string; readonly output: Referable };

export type Part = string | Reference;

export interface Text {
  /** The literal strings and references, in order. */
  readonly parts: readonly Part[];
  readonly problems: readonly string[];
}

const forms =
  "${config.KEY}, ${env.NAME}, ${env.NAME:-default}, ${stack}, ${project}, ${deployments.KEY.url}";

const roots = ["config", "env", "stack", "project", "deployments"];

export function hasReference(text: string): boolean {
  return text.includes("${") && parseText(text).parts.some((part) => typeof part !== "string");
}

/** `$${` is a literal `${`; a single `$` stays. */
export function parseText(text: string): Text {
  const parts: Part[] = [];
  const problems: string[] = [];
  let literal = "";
  let at = 0;
  while (at < text.length) {
    const next = text.indexOf("$", at);
    if (next === -1) break;
    literal += text.slice(at, next);
    if (text.startsWith("$${", next)) {
      literal += "${";
      at = next + 3;
    } else if (text.startsWith("${", next)) {
      const end = text.indexOf("}", next);
      if (end === -1) {
        problems.push('"${" is not closed; write "$${" for a literal "${"');
        return { parts, problems };
      }
      const reference = parseReference(text.slice(next + 2, end));
      if (typeof reference === "string") problems.push(reference);
      else {
        if (literal !== "") parts.push(literal);
        literal = "";
        parts.push(reference);
      }
      at = end + 1;
    } else {
      literal += "$";
      at = next + 1;
    }
  }
  literal += text.slice(at);
  if (literal !== "" || parts.length === 0) parts.push(literal);
  return { parts, problems };
}

/** The reference, or a message about what is wrong. */
function parseReference(text: string): Reference | string {
  const [, root = "", rest = ""] = /^([^.:]*)(.*)$/s.exec(text) ?? [];
  if (text === "stack" || text === "project") return { kind: text };
  switch (root) {
    case "config": {
      const key = /^\.([\w.-]+(?::[\w.-]+)?)$/.exec(rest)?.[1];
      return key === undefined ? wrong(text, "; expected ${config.KEY}") : { kind: "config", key };
    }
    case "env": {
      const match = /^\.([A-Za-z_]\w*)(?::-(.*))?$/s.exec(rest);
      if (match === null) return wrong(text, "; expected ${env.NAME} or ${env.NAME:-default}");
      return { kind: "env", name: match[1]!, default: match[2] };
    }
    case "deployments":
      return parseOutput(text, rest);
    default:
      return wrong(text, didYouMean(root, roots) || `; expected one of ${forms}`);
  }
}

function parseOutput(text: string, rest: string): Reference | string {
  // Keys can contain dots; output names cannot.
  const match = /^\.(.+)\.([^.]*)$/s.exec(rest);
  if (match === null)
    return wrong(text, "; expected ${deployments.KEY.OUTPUT}, such as ${deployments.search.url}");
  const [, deployment = "", name = ""] = match;
  const output = referable.find((candidate) => candidate === name);
  if (output !== undefined) return { kind: "output", deployment, output };
  const hint = didYouMean(name, referable) || `; it has ${referable.join(", ")}`;
  return wrong(text, `: a deployment has no such output${hint}`);
}

/** Hides the default, which may be a secret and is never the problem. */
function wrong(text: string, hint: string): string {
  return `unknown reference "\${${text.replace(/:-.+/s, ":-***")}}"${hint}`;
}

export type Environment = Readonly<Record<string, string | undefined>>;

export interface KnownDialect {
  readonly name: string;
  /**
   * - `connection`: the stack's; a file that names another one is an error;
   * - `chosen`: overrides the file's;
   * - `default`: used if the file names none.
   */
  readonly is: "connection" | "chosen" | "default";
  /** The address of the service, if known. The public service has more rules. */
  readonly baseUrl?: string | undefined;
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

/** `text` is undefined if the value is only known later. */
export interface ConfigValue {
  readonly text: string | undefined;
}

/** The variable's value. As in a shell, the default also replaces an empty value. */
export function environmentValue(
  { name, default: fallback }: { name: string; default: string | undefined },
  env: Environment,
): string | undefined {
  const value = Object.hasOwn(env, name) ? env[name] : undefined;
  return fallback === undefined ? value : value || fallback;
}

/** The text with all references replaced; undefined if one of them is not known. */
export function knownText(parts: readonly Part[], known: Bindings): string | undefined {
  const texts = parts.map((part) => {
    if (typeof part === "string") return part;
    if (part.kind === "stack") return known.stack;
    if (part.kind === "project") return known.project;
    if (part.kind === "env") return known.env && environmentValue(part, known.env);
    return part.kind === "config" ? known.config?.(part.key)?.text : undefined;
  });
  return texts.includes(undefined) ? undefined : texts.join("");
}
