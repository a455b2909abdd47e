/** Translates between arguments and the wire format: names, and maps that are lists on the wire. */
import type { Deployment } from "../../schema/deployment";
import {
  deployment as fields,
  sourceConfig,
  sourceRevisionConfig,
  wireName,
  type Field,
  type Fields,
  type Group,
} from "../../schema/fields";
import type { WireDeployment, WireIntegrations, WireRepositories, WireRevision } from "../../schema/wire";
import { isObject, valueAt, type Values, withValueAt } from "../../schema/tree";
import type { Observed, Patch, Revision } from "../deployment/service";
import type { Integration, Repository } from "../deployment/repository";
import { dialectsWith, type Dialect } from "../dialects";
import type { RepositoryHost } from "../../schema/filters";
import { DeploymentError } from "../errors";
import { settingNamed } from "../settings/table";
import { pathTo } from "./paths";

export class Translator {
  readonly #wireNames = new Map<string, string>();

  /** @param dashboard template of the addresses of deployments' pages, if the service has them */
  constructor(
    readonly dialect: Dialect,
    private readonly dashboard?: string,
  ) {}

  /** The body of a POST: only what was declared. */
  createBody(deployment: Deployment): Values {
    const { name, source, sourceConfig, sourceRevisionConfig, secrets, secretReferences } = deployment;
    const config = { sourceConfig: sourceConfig ?? {}, sourceRevisionConfig: sourceRevisionConfig ?? {} };
    const given = { name, source, ...config, secrets: secrets ?? {}, secretReferences };
    return { [this.wireName("sourceConfig")]: {}, ...this.toWire(fields, given) };
  }

  patchBody(patch: Patch): Values {
    return this.toWire(fields, { ...patch });
  }

  toWire(table: Fields, values: Values): Values {
    const entries = Object.entries(values).flatMap(([name, value]): [string, unknown][] => {
      const field = table[name];
      if (field === undefined || value === undefined) return [];
      if (field.kind === "group" && isObject(value)) return this.#groupToWire(name, field, value);
      return [[this.wireName(name), this.#valueToWire(name, field, value)]];
    });
    return Object.fromEntries(entries);
  }

  /** The object, unless it is empty, and the fields that the wire places beside it. */
  #groupToWire(name: string, { fields: table, atomic }: Group, values: Values): [string, unknown][] {
    const within = pick(values, (key) => !isBeside(table[key]));
    const beside = pick(values, (key) => isBeside(table[key]));
    const object = { ...(atomic && beyond(table, within)), ...this.toWire(table, within) };
    const isEmptied = Object.keys(within).length === 0 && Object.keys(beside).length > 0;
    return [
      ...(isEmptied ? [] : [[this.wireName(name), object] as [string, unknown]]),
      ...Object.entries(this.toWire(table, beside)),
    ];
  }

  #valueToWire(name: string, field: Field, value: unknown): unknown {
    if (value === null || field.kind === "group") return value;
    if (field.list !== undefined) return toList(field.list, value as Values);
    if (isSource(name)) return this.dialect.vocabulary.sources[value as string] ?? value;
    return value;
  }

  fromWire(wire: WireDeployment): Observed {
    const declared = Object.entries(this.dialect.vocabulary.declaredAt).flatMap(([path, wirePath]) => {
      const value = valueAt(wire, wirePath.split("."));
      return typeof value === "string" && value !== "" ? [{ path: path.split("."), value }] : [];
    });
    return declared.reduce(
      (observed, { path, value }) => withValueAt(observed, path, value),
      this.#observedFrom(wire),
    );
  }

  #observedFrom(wire: WireDeployment): Observed {
    return {
      id: wire.id,
      name: wire.name ?? "",
      source: this.#sourceFromWire(wire.source),
      sourceConfig: {
        ...this.#groupFromWire(sourceConfig, wire.source_config ?? {}),
        ...this.#groupFromWire(besideSource, wire),
      },
      sourceRevisionConfig: this.#revisionConfigFromWire(wire.source_revision_config),
      secrets: wire.secrets
        ? Object.fromEntries(wire.secrets.map(({ name, value }) => [name, value ?? null]))
        : undefined,
      secretReferences:
        wire.secret_references &&
        Object.fromEntries(
          wire.secret_references.map(({ name, secret_name, secret_key }) => [
            name,
            { secretName: secret_name, secretKey: secret_key },
          ]),
        ),
      tenantId: wire.tenant_id ?? null,
      status: wire.status,
      createdAt: wire.created_at ?? null,
      updatedAt: wire.updated_at ?? null,
      latestRevisionId: wire.latest_revision_id || null,
      activeRevisionId: wire.active_revision_id || null,
      imageVersion: wire.image_version ?? null,
      url: wire.url || wire.source_config?.["custom_url"] || null,
      dashboardUrl: this.#dashboardUrlOf(wire),
      ...(wire.is_preview && { isPreview: true }),
    } as Observed;
  }

  #dashboardUrlOf({ id, tenant_id }: WireDeployment): string | null {
    const isPlain = /^[\w-]+$/.test(tenant_id ?? "");
    return this.dashboard && tenant_id && isPlain ? pathTo(this.dashboard, { id, tenant_id }) : null;
  }

  revisionFromWire(wire: WireRevision): Revision {
    return {
      id: wire.id,
      status: wire.status,
      reason: wire.status_message || undefined,
      createdAt: wire.created_at ?? null,
      sourceRevisionConfig: this.#revisionConfigFromWire(wire.source_revision_config),
    };
  }

  #revisionConfigFromWire(wire: WireRevision["source_revision_config"]): Values {
    return {
      ...this.#groupFromWire(sourceRevisionConfig, wire ?? {}),
      repoCommitSha: wire?.["repo_commit_sha"] ?? null,
    };
  }

  /** Keeps fields of a newer service, unchanged, in objects that are sent as a whole. */
  #wholeFromWire(table: Fields, wire: Values): Values {
    const known = new Set(Object.keys(table).map((name) => this.wireName(name)));
    const unknown = pick(wire, (name) => !known.has(name));
    return { ...beyond(table, unknown), ...this.#groupFromWire(table, wire) };
  }

  #groupFromWire(table: Fields, wire: Values): Values {
    const entries = Object.entries(table).flatMap(([name, field]): [string, unknown][] => {
      const value = wire[this.wireName(name)];
      if (value === undefined) return [];
      if (field.kind !== "group" || !isObject(value)) return [[name, value]];
      const read = field.atomic ? this.#wholeFromWire : this.#groupFromWire;
      return [[name, read.call(this, field.fields, value)]];
    });
    return Object.fromEntries(entries);
  }

  #sourceFromWire(source: string): string {
    const found = Object.entries(this.dialect.vocabulary.sources).find(([, word]) => word === source);
    return found?.[0] ?? source;
  }

  wireName(name: string): string {
    const known = this.#wireNames.get(name);
    if (known !== undefined) return known;
    const standard = wireName(name);
    const own = this.dialect.vocabulary.fields[standard] ?? standard;
    this.#wireNames.set(name, own);
    return own;
  }
}

function pick<T>(values: Readonly<Record<string, T>>, isWanted: (key: string) => boolean): Record<string, T> {
  return Object.fromEntries(Object.entries(values).filter(([key]) => isWanted(key)));
}

function isBeside(field: Field | undefined): boolean {
  return field?.kind === "leaf" && field.isBeside;
}

const sourceFields: Fields = sourceConfig;

/** Computed once, since every deployment of a page needs it. */
const besideSource = pick(sourceFields, (name) => isBeside(sourceFields[name]));

/** Values that the table does not define. */
function beyond(table: Fields, values: Values): Values {
  return pick(values, (name) => !Object.hasOwn(table, name));
}

function isSource(name: string): boolean {
  return name === "source" || name === "revisionSource";
}

/** `{ A: "1" }` as `[{ name: "A", value: "1" }]`, sorted so that equal maps give equal bodies. */
function toList(kind: "value" | "object", map: Values): Values[] {
  const names = Object.keys(map)
    .filter((name) => map[name] !== undefined)
    .sort();
  if (kind === "value") return names.map((name) => ({ name, value: map[name] }));
  return names.map((name) => ({ name, ...mapKeys(map[name] as Values) }));
}

function mapKeys(object: Values): Values {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [wireName(key), value]));
}

/** Path of a repository listing, from the dialect or the settings. Specification, sections 4.1 and 4.2. */
export function repositoriesPath(
  { paths, name }: Dialect,
  host: RepositoryHost,
  integrationId: string,
  configured: string | undefined,
): string {
  const path = host === "codehost" ? paths.codehostRepositories : (configured ?? paths.serviceRepositories);
  if (path === undefined) {
    throw new DeploymentError(
      `dialect ${name} does not define the path of the service's own repository listing: set ` +
        `${settingNamed("serviceReposPath")} to a path that contains {integration_id}`,
    );
  }
  return pathTo(path, { integration_id: integrationId });
}

/** Path of a listing that only some dialects have. */
export function listingPath(
  { paths, name }: Dialect,
  listing: "codehostIntegrations" | "listeners",
  what: string,
): string {
  const path = paths[listing];
  if (path !== undefined) return path;
  throw new DeploymentError(
    `a service of dialect ${name} does not list its ${what}: ask whoever set them up for their ids. If the service speaks ` +
      `dialect ${dialectsWith(listing).join(" or ")}, set ${settingNamed("dialect")}`,
  );
}

export function integrationsFrom(wire: WireIntegrations): Integration[] {
  return wire.map(({ id, name, installation_id }) => ({ id, name, installationId: installation_id }));
}

export function repositoriesFrom(wire: WireRepositories): Repository[] {
  return wire.map(({ host_integration_id, id, name, owner, url, default_branch }) => ({
    hostIntegrationId: host_integration_id,
    id,
    name,
    owner,
    url,
    defaultBranch: default_branch,
  }));
}
