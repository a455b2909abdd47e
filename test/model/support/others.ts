/** Somebody else at the service, who changes, deletes and creates what the stack holds or wants. */
import type { DeploymentRecord, Emulator, JsonObject } from "../../emulator";
import type { Chance } from "./chance";
import { image, secretMark } from "./program";

const hour = 3_600_000;

export class Others {
  /** Ids of deployments that they made, removed, or changed. */
  readonly made = new Set<string>();
  readonly removed = new Set<string>();
  readonly changed = new Set<string>();
  /** Ids of what they did something to since the last refresh. */
  readonly unseen = new Set<string>();

  constructor(
    private readonly emulator: Emulator,
    /** Names that the stack may want. */
    private readonly names: readonly string[],
  ) {}

  /** Does one thing by chance. */
  act(chance: Chance): void {
    const record = chance.of(this.emulator.deployments());
    if (record === undefined || chance.next() < 0.25)
      return this.create(chance.of([...this.names, "theirs"]), chance);
    if (chance.next() < 0.15) return this.remove(record.id);
    this.#change(record, chance);
  }

  create(name: string, chance: Chance): void {
    if (this.emulator.deployment(name) !== undefined) return;
    const { id } = this.emulator.create({
      name,
      source: "external_container",
      source_config: chance.of<JsonObject>([{}, { build_on_push: true }, { deployment_type: "dev" }]),
      source_revision_config: { image_uri: image(chance.of([0, 1, 9])) },
      secrets: chance.of<JsonObject[]>([[], [{ name: "ALPHA", value: `${secretMark}-of-others` }]]),
    });
    const long = new Date(Date.now() - hour).toISOString();
    this.emulator.change(id, (record) => void (record.created_at = long));
    this.made.add(id);
  }

  remove(id: string): void {
    if (this.emulator.deployment(id) === undefined) return;
    this.emulator.remove(id);
    this.removed.add(id);
    this.unseen.add(id);
  }

  #change({ id, deletion }: DeploymentRecord, chance: Chance): void {
    if (deletion !== undefined) return;
    this.changed.add(id);
    this.unseen.add(id);
    const isImage = this.emulator.deployment(id)!.source === "external_container";
    chance.of([
      () => this.emulator.change(id, () => undefined, { revision: true }),
      () =>
        this.emulator.change(
          id,
          ({ source_revision_config: revision }) => {
            if (isImage) revision["image_uri"] = image(9);
            else revision["repo_ref"] = "branch-9";
          },
          { revision: chance.next() < 0.8 },
        ),
      () => this.emulator.change(id, ({ source_config: config }) => void (config["build_on_push"] = true)),
      () => this.emulator.change(id, ({ source_config: config }) => void delete config["resource_spec"]),
      () =>
        this.emulator.change(id, ({ source_config: config }) => void (config["install_command"] = "true")),
      () => this.emulator.change(id, (record) => void record.secrets.pop()),
      () =>
        this.emulator.change(id, (record) => {
          record.secrets = record.secrets.map(({ name }) => ({ name, value: `${secretMark}-of-others` }));
        }),
      () => this.emulator.change(id, (record) => void (record.secret_references = null)),
    ])();
  }
}
