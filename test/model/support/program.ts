/** Programs in a short form that prints well when a sequence fails, and what the engine and the service get of them. */
import fc, { type Arbitrary } from "fast-check";
import { providerText, urn } from "../../contract/support/resource";
import type { Values } from "./wire";

/** One deployment of a program. Small numbers stand for values: what matters is whether they change. */
export interface Spec {
  readonly source: "external_container" | "codehost" | "internal_source";
  /** Part of the name: another one is another deployment. */
  readonly edition: number;
  readonly version: number;
  readonly path?: number;
  readonly command?: number;
  readonly push?: boolean;
  readonly cpu?: number;
  readonly label?: number;
  readonly tier?: "dev" | "prod";
  readonly url?: number;
  readonly secrets?: Readonly<Record<string, number>>;
  readonly reference?: number;
  readonly trigger?: number;
  readonly adopt?: boolean;
  readonly skipAwait?: boolean;
  readonly overrides?: boolean;
}

const few = fc.nat({ max: 2 });

export const specs: Arbitrary<Spec> = fc
  .record(
    {
      source: fc.oneof(
        { arbitrary: fc.constant("external_container" as const), weight: 6 },
        fc.constantFrom("codehost" as const, "internal_source" as const),
      ),
      edition: fc.oneof({ arbitrary: fc.constant(0), weight: 8 }, fc.constant(1)),
      version: few,
      path: few,
      command: few,
      push: fc.boolean(),
      cpu: few,
      label: few,
      tier: fc.constantFrom("dev" as const, "prod" as const),
      url: few,
      secrets: fc.dictionary(fc.constantFrom("ALPHA", "BETA", "GAMMA"), few, {
        maxKeys: 3,
        noNullPrototype: true,
      }),
      reference: few,
      trigger: few,
      adopt: fc.constant(true),
      skipAwait: fc.constant(true),
      overrides: fc.constant(true),
    },
    { requiredKeys: ["source", "edition", "version"], noNullPrototype: true },
  )
  .map(({ adopt, skipAwait, overrides, ...rest }) => ({
    ...rest,
    // Rare in programs, and each makes the laws say less.
    ...(adopt && rest.version === 2 && { adopt }),
    ...(skipAwait && rest.command === 2 && { skipAwait }),
    ...(overrides && rest.trigger !== undefined && { overrides }),
  }));

export const logicalName = (at: number): string => `app${at}`;
export const serviceName = (logical: string, { edition }: Spec): string => `${logical}-e${edition}`;

/** Every secret begins so, and nothing else does. */
export const secretMark = "s3cr3t";
const secret = (name: string, value: number) => `${secretMark}-${name}-${value}-/+é"`;

const set = (name: string, value: unknown): Values => (value === undefined ? {} : { [name]: value });
const numbered = (name: string, value: number | undefined, text: (value: number) => unknown): Values =>
  value === undefined ? {} : { [name]: text(value) };

/** What a program registers with the engine. */
export function registered(logical: string, spec: Spec): Values {
  const { source, version, secrets = {}, reference, trigger } = spec;
  const isImage = source === "external_container";
  return {
    name: serviceName(logical, spec),
    source,
    sourceConfig: {
      ...numbered("installCommand", spec.command, (value) => `make install-${value}`),
      ...set("buildOnPush", spec.push),
      ...set("deploymentType", spec.tier),
      ...numbered("customUrl", spec.url, (value) => `https://${secretMark}-${value}.apps.example.com`),
      ...((spec.cpu ?? spec.label) !== undefined && {
        resourceSpec: {
          ...numbered("cpu", spec.cpu, (value) => value + 0.5),
          ...numbered("labels", spec.label, (value) => ({ "example.com/teamName": `team-${value}` })),
        },
      }),
    },
    sourceRevisionConfig: {
      ...(isImage ? { imageUri: image(version) } : { repoRef: `branch-${version}` }),
      ...numbered("graphConfigPath", spec.path, (value) => `graph-${value}.json`),
    },
    secrets: Object.fromEntries(Object.entries(secrets).map(([name, value]) => [name, secret(name, value)])),
    ...(isImage &&
      reference !== undefined && {
        secretReferences: { DB_URL: { secretName: "db", secretKey: `url-${reference}` } },
      }),
    ...set("triggers", trigger === undefined ? undefined : { at: trigger }),
    ...set("revisionSource", spec.overrides && !isImage ? "internal_source" : undefined),
    ...set("adopt", spec.adopt),
    ...set("skipAwait", spec.skipAwait),
    __context: {
      urn: urn(logical),
      timeouts: { create: "90s", update: "90s", delete: "90s" },
      secretPaths: ["sourceConfig.customUrl"],
    },
    __provider: providerText,
  };
}

export const image = (version: number): string => `registry.example.com/app:${version}`;

/** What the service is to have of it, in the wire's own words; null: nothing. */
export function expected(logical: string, spec: Spec) {
  const { source, version, secrets = {}, reference } = spec;
  const isImage = source === "external_container";
  const orNull = <T>(value: number | undefined, text: (value: number) => T) =>
    value === undefined ? null : text(value);
  return {
    name: serviceName(logical, spec),
    source,
    config: {
      install_command: orNull(spec.command, (value) => `make install-${value}`),
      build_on_push: spec.push ?? null,
      custom_url: orNull(spec.url, (value) => `https://${secretMark}-${value}.apps.example.com`),
    },
    /** Sent whole, so that nothing else is in it. */
    size: {
      cpu: orNull(spec.cpu, (value) => value + 0.5),
      labels: orNull(spec.label, (value) => ({ "example.com/teamName": `team-${value}` })),
    },
    tier: spec.tier ?? null,
    revision: {
      image_uri: isImage ? image(version) : null,
      repo_ref: isImage ? null : `branch-${version}`,
      graph_config_path: orNull(spec.path, (value) => `graph-${value}.json`),
    },
    secrets: Object.fromEntries(Object.entries(secrets).map(([name, value]) => [name, secret(name, value)])),
    reference: isImage ? orNull(reference, (value) => `url-${value}`) : null,
  };
}
