/** Translates between arguments and the wire format: names, and maps that are lists on the wire. */
import { addresses, hasCredentials, withoutCredentials } from "../../schema/address";
import type { Deployment } from "../../schema/deployment";
import { wireName, type Field } from "../../schema/fields";
import { leaves, type Row, rows } from "../../schema/rows";
import type { WireDeployment, WireRevision } from "../../schema/wire";
import {
  asObject,
  isNothing,
  isObject,
  isWithin,
  treeOf,
  valueAt,
  type Values,
  withValueAt,
} from "../../schema/tree";
import type { Observed, Patch } from "../deployment/service";
import { dialectSpelling, type Dialect } from "../dialects";
import { serviceWord, withWords } from "../dialects/words";
import { isCredentialText } from "../text/credential";
import { pathTo } from "./parse";

export interface Revision {
  readonly id: string;
  /** In the service's words. */
  readonly status: string;
  /** Why it failed, in the service's words, if it gave a reason. */
  readonly reason: string | undefined;
  /** ISO 8601. */
  readonly createdAt: string | null;
  readonly sourceRevisionConfig: Values;
  /** The version of the server that it runs on, if the service shows it. */
  readonly imageVersion: string | null;
}

/** A row, and where the wire has its value. */
interface WireRow extends Row {
  readonly wirePath: readonly string[];
  /** The names of a group's members, ours and the wire's. */
  readonly members: ReadonlySet<string>;
}

export class Translator {
  readonly #rows: readonly WireRow[];
  /** What a POST takes. */
  readonly #created: readonly WireRow[];
  /** What a response has in objects. The rest differs too much from the arguments to be read by the table. */
  readonly #inGroups: readonly WireRow[];

  /** @param dashboard template of the addresses of deployments' pages, if the service has them */
  constructor(
    readonly dialect: Dialect,
    private readonly dashboard?: string,
  ) {
    this.#rows = rows.filter(isOnWire).map((row) => {
      return { ...row, wirePath: this.#wirePathOf(row), members: this.#membersOf(row) };
    });
    this.#created = this.#rows.filter(({ field }) => field.kind === "group" || field.sent !== "withRevision");
    this.#inGroups = this.#rows.filter(({ path }) => path.length > 1);
  }

  #wirePathOf({ path, field }: Row): string[] {
    const names = path.map((name) => this.#wireName(name));
    return isBeside(field) ? [...names.slice(0, -2), ...names.slice(-1)] : names;
  }

  #membersOf({ field }: Row): ReadonlySet<string> {
    const names = field.kind === "group" ? Object.keys(field.fields) : [];
    return new Set(names.flatMap((name) => [name, this.#wireName(name)]));
  }

  /** The body of a POST: only what was declared. */
  createBody(deployment: Deployment): Values {
    const { sourceConfig = {}, sourceRevisionConfig = {}, secrets = {} } = deployment;
    const given = { ...deployment, sourceConfig, sourceRevisionConfig, secrets };
    return { [this.#wireName("sourceConfig")]: {}, ...this.#toWire(given, this.#created) };
  }

  patchBody(patch: Patch): Values {
    return this.#toWire({ ...patch }, this.#rows);
  }

  #toWire(values: Values, rows: readonly WireRow[]): Values {
    return treeOf(
      rows.map((row) => {
        const value = valueAt(values, row.path);
        // Members make the object around them themselves, unless they are all next to it.
        const isImplied = row.field.kind === "group" && !row.field.atomic && !isNothing(value);
        return [row.wirePath, value === undefined || isImplied ? undefined : this.#valueToWire(row, value)];
      }),
    );
  }

  #valueToWire(row: WireRow, value: unknown): unknown {
    const { path, field } = row;
    const [name] = path;
    if (value === null) return null;
    if (field.kind === "group") return unknownMembers(row, value as Values);
    if (field.list !== undefined) return toList(field.list, value as Values);
    const isSource = name === "source" || name === "revisionSource";
    return isSource ? (this.dialect.vocabulary.sources[value as string] ?? value) : value;
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
    const { sourceConfig, sourceRevisionConfig } = this.#groupsFromWire(wire);
    const spokenDialect = dialectSpelling(wire.source);
    return {
      id: wire.id,
      name: wire.name ?? "",
      source: this.#sourceFromWire(wire.source),
      sourceConfig,
      sourceRevisionConfig,
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
      url: withoutCredentials(wire.url || textIn(sourceConfig["customUrl"]) || "") || null,
      dashboardUrl: this.#dashboardUrlOf(wire),
      ...(spokenDialect !== undefined && { spokenDialect }),
      tracerSessionId: this.dialect.hasTracingProjects ? wire.tracer_session_id || null : null,
      ...this.#ownerOf(wire),
      ...(wire.display_name !== undefined && { displayName: wire.display_name }),
      ...(wire.shareable !== undefined && { shareable: wire.shareable }),
      ...(wire.database_tier !== undefined && { databaseTier: wire.database_tier }),
    };
  }

  #ownerOf(wire: WireDeployment): Pick<Observed, "owner"> {
    const found = Object.entries(this.dialect.owners).find(([field]) => wire[field] === true);
    return found === undefined ? {} : { owner: found[1] };
  }

  #dashboardUrlOf({ id, tenant_id }: WireDeployment): string | null {
    const isPlain = [id, tenant_id ?? ""].every((each) => /^[\w-]+$/.test(each));
    return this.dashboard && tenant_id && isPlain ? pathTo(this.dashboard, { id, tenant_id }) : null;
  }

  revisionFromWire(wire: WireRevision): Revision {
    return {
      id: wire.id,
      status: wire.status,
      reason: wire.status_message || undefined,
      createdAt: wire.created_at ?? null,
      imageVersion: wire.image_version ?? null,
      sourceRevisionConfig: this.#groupsFromWire(wire).sourceRevisionConfig,
    };
  }

  #groupsFromWire(wire: Pick<WireDeployment, "source_revision_config">) {
    const shown = treeOf(
      this.#inGroups.map((row) => {
        const value = valueAt(wire, row.wirePath);
        const isGroup = row.field.kind === "group" && isObject(value);
        return [row.path, isGroup ? unknownMembers(row, value) : value];
      }),
    );
    // A service that accepts the users' words may show them.
    const { sourceConfig, sourceRevisionConfig } = withoutTokens(withWords(shown, serviceWord, this.dialect));
    const repoCommitSha = wire.source_revision_config?.[this.#wireName("repoCommitSha")] ?? null;
    return {
      sourceConfig: asObject(sourceConfig),
      sourceRevisionConfig: { ...asObject(sourceRevisionConfig), repoCommitSha },
    };
  }

  #sourceFromWire(source: string): string {
    const found = Object.entries(this.dialect.vocabulary.sources).find(([, word]) => word === source);
    return found?.[0] ?? source;
  }

  #wireName(name: string): string {
    const standard = wireName(name);
    return this.dialect.vocabulary.fields[standard] ?? standard;
  }
}

/** Users, passwords and tokens in addresses are never shown, stored or sent, so nothing else reads them. */
function withoutTokens(values: Values): Values {
  return addresses.reduce((all, path) => {
    const address = valueAt(all, path);
    if (typeof address !== "string") return all;
    const query = address.replace(/^[^?#;]*/, "");
    const isOpen = hasCredentials(address) || isCredentialText(query);
    return isOpen ? withValueAt(all, path, withoutCredentials(address)) : all;
  }, values);
}

/** What an object that is sent as a whole holds beyond the table: fields of a newer service, unchanged. */
function unknownMembers({ field, members }: WireRow, values: Values): Values {
  if (field.kind === "group" && !field.atomic) return {};
  return Object.fromEntries(Object.entries(values).filter(([name]) => !members.has(name)));
}

/** Whether requests take the field, or a field of the group. */
function isOnWire({ path }: Row): boolean {
  const inside = leaves.filter((leaf) => isWithin(leaf.path, path));
  return inside.some(({ field: { sent } }) => sent !== "never" && sent !== "onDelete");
}

function isBeside(field: Field | undefined): boolean {
  return field?.kind === "leaf" && field.isBeside === true;
}

/** `{ A: "1" }` as `[{ name: "A", value: "1" }]`, sorted so that equal maps give equal bodies. */
function toList(kind: "value" | "object", map: Values): Values[] {
  const names = Object.keys(map)
    .filter((name) => map[name] !== undefined)
    .sort();
  if (kind === "value") return names.map((name) => ({ name, value: map[name] }));
  return names.map((name) => {
    const members = Object.entries(map[name] as Values).map(([key, value]) => [wireName(key), value]);
    return { name, ...(Object.fromEntries(members) as Values) };
  });
}

function textIn(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
