/** Out-of-band changes: someone else changes, deletes and creates deployments. */
import type { DeploymentRecord, JsonObject } from "../../../emulator";
import type { Chance } from "./chance";
import { clock } from "./idle-clock";
import type { Place, Places } from "./places";
import { deploymentTiers, image, secretMark } from "./program";

const hour = 3_600_000;
export const othersSecret = `${secretMark}-of-others`;

export class OutOfBand {
  /** Ids of deployments that were made, removed, or changed. */
  readonly made = new Set<string>();
  readonly removed = new Set<string>();
  readonly changed = new Set<string>();
  /** Ids of deployments changed since the last command began. */
  readonly touched = new Set<string>();
  /** Ids of deployments changed or removed since the last refresh. */
  readonly unseen = new Set<string>();
  /** By the id of a deployment, the last secret that someone gave it, and when. */
  readonly added = new Map<string, { readonly name: string; readonly at: number }>();

  #additions = 0;

  constructor(
    private readonly places: Places,
    /** Names that the stack may want. */
    private readonly names: readonly string[],
  ) {}

  /** Makes one random change. */
  act(chance: Chance): void {
    const { us, eu, other } = this.places;
    const place = chance.of([us, us, us, us, eu, eu, other]);
    const record = chance.of(place.deployments());
    if (record === undefined || chance.next() < 0.25)
      return void this.create(place, chance.of([...this.names, "theirs"]), chance);
    if (chance.next() < 0.15) return this.remove(record.id);
    this.#change(place, record, chance);
  }

  remove(id: string): void {
    const place = this.places.of(id);
    if (place === undefined) return;
    place.remove(id);
    this.removed.add(id);
    this.unseen.add(id);
  }

  /** Returns the id of a deployment that someone makes by hand; undefined if the name is taken. */
  create(place: Place, name: string, chance: Chance): string | undefined {
    if (place.deployment(name) !== undefined) return undefined;
    const { id } = place.create({
      name,
      ...(this.places.dialect === "langsmith"
        ? {
            source: "internal_template",
            source_config: { deployment_type: "dev_zero" },
            source_revision_config: {},
          }
        : {
            source: "external_container",
            source_config: chance.of<JsonObject>([{}, { build_on_push: true }, { deployment_type: "dev" }]),
            source_revision_config: { image_uri: image(chance.of([0, 1, 9])) },
          }),
      secrets: chance.of<JsonObject[]>([[], [{ name: "ALPHA", value: othersSecret }]]),
    });
    const long = new Date(Date.now() - hour).toISOString();
    place.change(id, (record) => void (record.created_at = long));
    this.made.add(id);
    return id;
  }

  /** What only the public service lets people change. */
  #resize(place: Place, id: string, chance: Chance): void {
    const tier = chance.of([...deploymentTiers]);
    chance.of([
      () => place.change(id, () => undefined, { revision: true }),
      () => place.change(id, (record) => void (record.tiers = { compute_tier: tier }), { revision: true }),
      () => place.change(id, (record) => void (record.display_name = "Theirs")),
      () => this.#takeSecret(place, id),
    ])();
  }

  addSecrets(): void {
    for (const place of this.places.all)
      for (const { id, deletion } of place.deployments()) {
        if (deletion !== undefined) continue;
        for (const ids of [this.changed, this.touched, this.unseen]) ids.add(id);
        this.#addSecret(place, id);
      }
  }

  /** A secret that no program declares. */
  #addSecret(place: Place, id: string): void {
    const at = clock.now();
    const name = `ADDED_${++this.#additions}`;
    place.change(id, ({ secrets }) => void secrets.push({ name, value: othersSecret }));
    this.added.set(id, { name, at });
  }

  #takeSecret(place: Place, id: string): void {
    place.change(id, ({ secrets }) => {
      if (secrets.pop()?.name === this.added.get(id)?.name) this.added.delete(id);
    });
  }

  #change(place: Place, { id, deletion, source }: DeploymentRecord, chance: Chance): void {
    if (deletion !== undefined) return;
    for (const ids of [this.changed, this.touched, this.unseen]) ids.add(id);
    if (this.places.dialect === "langsmith") return this.#resize(place, id, chance);
    const config = (mutate: (config: JsonObject) => void) => () =>
      place.change(id, (record) => mutate(record.source_config));
    const revise = (config: JsonObject) => {
      if (source === "external_container") config["image_uri"] = image(9);
      else config["repo_ref"] = "branch-9";
    };
    chance.of([
      () => place.change(id, () => undefined, { revision: true }),
      () =>
        place.change(id, (record) => revise(record.source_revision_config), {
          revision: chance.next() < 0.8,
        }),
      config((values) => void (values["build_on_push"] = true)),
      config((values) => void delete values["resource_spec"]),
      config((values) => void (values["install_command"] = "true")),
      // It cannot be changed, but a response may show another value.
      config((values) => void (values["deployment_type"] = chance.of(["dev", "dev_free", null]))),
      config((values) => {
        const written = values["integration_id"];
        if (typeof written === "string") values["integration_id"] = written.toUpperCase();
      }),
      () => this.#addSecret(place, id),
      () => this.#takeSecret(place, id),
      () =>
        place.change(id, (record) => {
          record.secrets = record.secrets.map(({ name }) => ({ name, value: othersSecret }));
        }),
      () => place.change(id, (record) => void (record.secret_references = null)),
    ])();
  }
}
