/** Programs in a short form that is readable when a sequence fails, and what the engine and the service receive. */
import fc, { type Arbitrary } from "fast-check";
import { secret, typeToken } from "../../support/provider-process/resource";
import type { Registration } from "./engine/program";
import type { Values } from "./wire";

/** One deployment of a program. Small numbers stand for values, because only changes matter. */
export interface Spec {
  readonly source: "external_container" | "codehost" | "internal_source" | "internal_template";
  /** Part of the name, so another edition is another deployment. */
  readonly edition: number;
  readonly version: number;
  readonly path?: number;
  readonly command?: number;
  readonly push?: boolean;
  readonly cpu?: number;
  readonly label?: number;
  readonly tier?: "dev" | "prod" | "dev_zero";
  /** Index of `deploymentTiers`: the public service alone has them, and takes one once a revision is active. */
  readonly deploymentTier?: number;
  /** Goes the same way. */
  readonly displayName?: number;
  readonly url?: number;
  readonly repo?: number;
  readonly secrets?: Readonly<Record<string, number>>;
  readonly reference?: number;
  readonly trigger?: number;
  readonly adopt?: boolean;
  readonly skipAwait?: boolean;
  readonly overrides?: boolean;
  /** Another logical name for the same deployment. */
  readonly rename?: number;
  /** A child of a component, which is a part of the URN. */
  readonly isChild?: boolean;
  /** Tells the engine all its former URNs. */
  readonly hasAliases?: boolean;
  /** Its provider; the default one, where it is left out. */
  readonly provider?: ProviderName;
  /** The resource option `deleteBeforeReplace`. */
  readonly deletesFirst?: boolean;
  /** The resource option `replaceOnChanges`, for `sourceRevisionConfig`. */
  readonly replacesOnRevision?: boolean;
}

export type ProviderName = "us" | "eu";
export const providerNames: readonly ProviderName[] = ["us", "eu"];

const few = fc.nat({ max: 2 });

const declared = fc.record(
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
    repo: few,
    secrets: fc.dictionary(fc.constantFrom("ALPHA", "BETA", "GAMMA"), few, {
      maxKeys: 3,
      noNullPrototype: true,
    }),
    reference: few,
    trigger: few,
    overrides: fc.constant(true),
  },
  { requiredKeys: ["source", "edition", "version"], noNullPrototype: true },
);

/** What is decided besides the arguments that the service gets. */
const options = fc.record({
  adopt: fc.oneof({ arbitrary: fc.constant(false), weight: 3 }, fc.constant(true)),
  skipAwait: fc.oneof({ arbitrary: fc.constant(false), weight: 9 }, fc.constant(true)),
  rename: fc.oneof({ arbitrary: fc.constant(0), weight: 4 }, fc.constant(1)),
  isChild: fc.oneof({ arbitrary: fc.constant(false), weight: 5 }, fc.constant(true)),
  hasAliases: fc.boolean(),
  provider: fc.oneof(
    { arbitrary: fc.constant(undefined), weight: 5 },
    fc.constantFrom<ProviderName | undefined>("us", "eu"),
  ),
  deletesFirst: fc.oneof({ arbitrary: fc.constant(undefined), weight: 5 }, fc.boolean()),
  replacesOnRevision: fc.oneof({ arbitrary: fc.constant(false), weight: 12 }, fc.constant(true)),
});

export const specs: Arbitrary<Spec> = fc.tuple(declared, options).map(([{ overrides, ...args }, opts]) => ({
  ...args,
  ...(overrides && args.trigger !== undefined && { overrides }),
  ...given(opts),
}));

/** What the public service runs. Its last secret can never be taken away. */
export const publicSpecs: Arbitrary<Spec> = fc
  .record(
    {
      edition: fc.oneof({ arbitrary: fc.constant(0), weight: 8 }, fc.constant(1)),
      deploymentTier: few,
      displayName: few,
      secrets: fc.record({ ALPHA: few, BETA: few }, { requiredKeys: ["ALPHA"], noNullPrototype: true }),
      trigger: few,
      adopt: fc.oneof({ arbitrary: fc.constant(false), weight: 3 }, fc.constant(true)),
    },
    { requiredKeys: ["edition", "secrets", "adopt"], noNullPrototype: true },
  )
  .map(({ adopt, ...spec }) => ({
    ...{ source: "internal_template", version: 0, tier: "dev_zero" },
    ...spec,
    ...given({ adopt }),
  }));

/** Only given values, so that a failing sequence is short. */
function given({ rename, deletesFirst, provider, ...flags }: Partial<Spec>): Partial<Spec> {
  return {
    ...(rename && { rename }),
    ...(provider && { provider }),
    ...(deletesFirst !== undefined && { deletesFirst }),
    ...Object.fromEntries(Object.entries(flags).filter(([, isSet]) => isSet)),
  };
}

/** Slots: what a program may rename and move, and is still the same in the eyes of its author. */
export const size = 5;

export const nameOf = (slot: number, { edition }: Pick<Spec, "edition">): string => `app${slot}-e${edition}`;

export function urnOf(slot: number, { rename = 0, isChild = false }: Partial<Spec>): string {
  const type = isChild ? `shop:index:Group$${typeToken}` : typeToken;
  return `urn:pulumi:dev::shop::${type}::app${slot}${rename === 0 ? "" : `-r${rename}`}`;
}

/** All the URNs that what is in a slot may have. */
export function urnsOf(slot: number): string[] {
  return [0, 1].flatMap((rename) => [false, true].map((isChild) => urnOf(slot, { rename, isChild })));
}

export function providerUrn(name: ProviderName | undefined): string {
  return `urn:pulumi:dev::shop::pulumi:providers:pulumi-nodejs::${name ?? "default_3_248_0"}`;
}

/** Every secret begins so, and nothing else does. */
export const secretMark = "s3cr3t";
export const secretText = (name: string, value: number) => `${secretMark}-${name}-${value}-/+é"`;
const address = (value: number) => `https://${secretMark}-${value}.apps.example.com`;
const repository = (value: number) => `https://code.example.com/acme/${secretMark}-token-${value}`;
export const integrationId = "6f0e6c1a-92c3-4b0a-8d5e-0f1e2d3c4b5a";
export const deploymentTiers = ["SERVERLESS_S", "SERVERLESS_M", "SERVERLESS_L"] as const;
const tierNamed = (value: number) => deploymentTiers[value];
const title = (value: number) => `App ${value}`;
export const image = (version: number): string => `registry.example.com/app:${version}`;

const isContainer = ({ source }: Spec): boolean => source === "external_container";
const hasBranch = ({ source }: Spec): boolean => source === "codehost" || source === "internal_source";
const set = (name: string, value: unknown): Values => (value === undefined ? {} : { [name]: value });
const numbered = (name: string, value: number | undefined, text: (value: number) => unknown): Values =>
  value === undefined ? {} : { [name]: text(value) };

/** What a program registers with the engine. */
export function registrationOf(slot: number, spec: Spec): Registration {
  const urn = urnOf(slot, spec);
  return {
    urn,
    aliases: spec.hasAliases ? urnsOf(slot).filter((each) => each !== urn) : [],
    provider: providerUrn(spec.provider),
    declared: {
      name: urn,
      args: argumentsOf(slot, spec),
      customTimeouts: { create: "90s", update: "90s", delete: "90s" },
      provider: spec.provider === undefined ? "default" : providerUrn(spec.provider),
      secretPaths: ["customUrl", "repoUrl"].map((name) => ["sourceConfig", name]),
      ...(spec.replacesOnRevision && { replaceOnChanges: ["sourceRevisionConfig"] }),
    },
    ...(spec.deletesFirst !== undefined && { deleteBeforeReplace: spec.deletesFirst }),
  };
}

function argumentsOf(slot: number, spec: Spec): Values {
  const { source, version, secrets = {}, reference, trigger } = spec;
  const repo = source === "codehost" ? spec.repo : undefined;
  return {
    name: nameOf(slot, spec),
    source,
    sourceConfig: {
      ...numbered("installCommand", spec.command, (value) => `make install-${value}`),
      ...set("buildOnPush", spec.push),
      ...set("deploymentType", spec.tier),
      ...numbered("deploymentTier", spec.deploymentTier, tierNamed),
      ...numbered("customUrl", spec.url, (value) => secret(address(value))),
      ...numbered("repoUrl", repo, (value) => secret(repository(value))),
      ...numbered("integrationId", repo, () => integrationId),
      ...((spec.cpu ?? spec.label) !== undefined && {
        resourceSpec: {
          ...numbered("cpu", spec.cpu, (value) => value + 0.5),
          ...numbered("labels", spec.label, (value) => ({ "example.com/teamName": `team-${value}` })),
        },
      }),
    },
    ...numbered("displayName", spec.displayName, title),
    sourceRevisionConfig: {
      ...(isContainer(spec) && { imageUri: image(version) }),
      ...(hasBranch(spec) && { repoRef: `branch-${version}` }),
      ...numbered("graphConfigPath", spec.path, (value) => `graph-${value}.json`),
    },
    secrets: secret(
      Object.fromEntries(Object.entries(secrets).map(([name, value]) => [name, secretText(name, value)])),
    ),
    ...(isContainer(spec) &&
      reference !== undefined && {
        secretReferences: { DB_URL: { secretName: "db", secretKey: `url-${reference}` } },
      }),
    ...set("triggers", trigger === undefined ? undefined : { at: trigger }),
    ...set("revisionSource", spec.overrides && !isContainer(spec) ? "internal_source" : undefined),
    ...set("adopt", spec.adopt),
    ...set("skipAwait", spec.skipAwait),
  };
}

/** What the service is to have of it, in the wire's own words; null: nothing. */
export function expected(slot: number, spec: Spec) {
  const { source, version, secrets = {}, reference } = spec;
  const isImage = isContainer(spec);
  const orNull = <T>(value: number | undefined, text: (value: number) => T) =>
    value === undefined ? null : text(value);
  const repo = source === "codehost" ? spec.repo : undefined;
  return {
    name: nameOf(slot, spec),
    source,
    config: {
      install_command: orNull(spec.command, (value) => `make install-${value}`),
      build_on_push: spec.push ?? null,
      custom_url: orNull(spec.url, address),
      repo_url: orNull(repo, repository),
      integration_id: orNull(repo, () => integrationId),
    },
    /** Sent whole, so that nothing else is in it. */
    size: {
      cpu: orNull(spec.cpu, (value) => value + 0.5),
      labels: orNull(spec.label, (value) => ({ "example.com/teamName": `team-${value}` })),
    },
    tier: spec.tier ?? null,
    /** Neither can be taken away again. */
    once: {
      deployment_tier: orNull(spec.deploymentTier, tierNamed),
      display_name: orNull(spec.displayName, title),
    },
    revision: {
      image_uri: isImage ? image(version) : null,
      repo_ref: hasBranch(spec) ? `branch-${version}` : null,
      graph_config_path: orNull(spec.path, (value) => `graph-${value}.json`),
    },
    secrets: Object.fromEntries(
      Object.entries(secrets).map(([name, value]) => [name, secretText(name, value)]),
    ),
    reference: isImage ? orNull(reference, (value) => `url-${value}`) : null,
  };
}
