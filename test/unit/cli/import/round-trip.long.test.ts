/** Whatever `import` writes, `validate` accepts: what it could not declare is left out and named. */
import fc, { type Arbitrary } from "fast-check";
import { describe, expect, it } from "vitest";
import { sources } from "../../../../schema/enums";
import { WireDeployment } from "../../../../schema/wire";
import { Translator } from "../../../../provider/control-plane/translate";
import { dialects } from "../../../../provider/dialects";
import { chooseImports } from "../../../../cli/import/choice";
import { newManifest } from "../../../../cli/import/imported-manifest";
import { checkManifest } from "../../../../provider/manifest/check-manifest";
import { SourceText } from "../../../../provider/manifest/source";
import { check } from "../../../../provider/deployment/check";
import { plan } from "../../../../provider/deployment/plan";
import { parsePlanned } from "../../../../provider/stored/stored";
import { bulkFile } from "../../../../cli/import/bulk-file";
import { runs } from "../../../support/runs";

const warning = "Calling [toString] on an [Output<T>] is not supported.";
const odd = fc.oneof(
  fc.string({ maxLength: 8 }),
  fc.constantFrom("", " ", "${stack", "<<", "a\nb", "r.example.com/x:1 ", warning),
  fc.constantFrom("serverless", "dev_zero", "latest", "refs/tags/v1"),
  fc.constantFrom<unknown>(null, 0, -1, 1.5, true, [], {}, [null], { a: null }),
);
const group = (names: string): Arbitrary<Record<string, unknown>> =>
  fc.record(Object.fromEntries(names.split(" ").map((name) => [name, odd])), { requiredKeys: [] });
const container = group("name image env command resources volumeMounts restartPolicy lifecycle");
const spec = fc.oneof(
  odd,
  fc
    .tuple(
      group("min_scale cpu memory_mb labels annotations service_account_name image_pull_secrets gpu"),
      fc.record(
        {
          sidecars: fc.oneof(odd, fc.array(container, { maxLength: 2 })),
          volumes: fc.oneof(odd, fc.array(group("name emptyDir other"), { maxLength: 2 })),
        },
        { requiredKeys: [] },
      ),
    )
    .map(([a, b]) => ({ ...a, ...b })),
);
const config = fc
  .tuple(
    group(
      "integration_id repo_url build_on_push custom_url listener_id install_command build_command deployment_type template_id newer",
    ),
    fc.record(
      { resource_spec: spec, listener_config: fc.oneof(odd, group("k8s_namespace other")) },
      { requiredKeys: [] },
    ),
  )
  .map(([a, b]) => ({ ...a, ...b }));
const record = fc.record({
  name: fc.oneof(
    fc.string({ maxLength: 70 }),
    fc.constantFrom<string | null>(null, "", "chat", "Chat", "${stack", "null", "1", "a b", "-", "__proto__"),
  ),
  source: fc.constantFrom(...sources, "newer"),
  source_config: fc.option(config),
  source_revision_config: fc.option(
    group("repo_ref graph_config_path langgraph_config_path image_uri source_tarball_path newer"),
  ),
  secrets: fc.option(
    fc.array(fc.record({ name: fc.string({ maxLength: 6 }), value: fc.constant("hush") }), { maxLength: 3 }),
  ),
  secret_references: fc.option(
    fc.array(
      fc.record({
        name: fc.string({ maxLength: 6 }),
        secret_name: fc.option(fc.string({ maxLength: 4 })),
        secret_key: fc.option(fc.string({ maxLength: 4 })),
      }),
      { maxLength: 2 },
    ),
  ),
  deployment_tier: fc.constantFrom<string | null>(null, "SERVERLESS_S", "DEDICATED_M", "NEWER", ""),
  display_name: fc.constantFrom<string | null>(null, "", "Chat"),
  shareable: fc.option(fc.boolean()),
  route_through_gateway: fc.option(fc.boolean()),
});

/** Names are unique on the service. */
const records = fc.uniqueArray(record, { minLength: 1, maxLength: 3, selector: ({ name }) => name });

describe.each(Object.values(dialects))("in dialect $name", (dialect) => {
  it("a record with odd parts becomes a manifest without problems", () => {
    const translator = new Translator(dialect);
    fc.assert(
      fc.property(records, (all) => {
        const found = all.map((each, index) => {
          const id = `00000000-0000-4000-8000-00000000000${index}`;
          const source = dialect.vocabulary.sources[each.source] ?? each.source;
          const ids = { id, latest_revision_id: id, active_revision_id: id };
          return translator.fromWire(WireDeployment.parse({ ...each, ...ids, source, status: "READY" }));
        });
        const { imported, skipped } = chooseImports(found, dialect);
        expect(imported.length + skipped.length).toBe(all.length);
        if (imported.length === 0) return;
        const text = newManifest(imported, dialect);
        const known = { dialect: { name: dialect.name, is: "chosen" } } as const;
        const { problems } = checkManifest(new SourceText("deployments.yaml", text), known);
        const errors = problems
          .filter(({ severity }) => severity === "error")
          .map(({ message, at }) => `${message}: ${text.slice(at.start, at.end)}`);
        expect(errors, text).toEqual([]);
        for (const [index, { args }] of imported.entries()) {
          const before = parsePlanned(bulkFile(imported, dialect).resources[index]!.inputs);
          const { inputs, failures } = check(before, args, dialect);
          expect([failures, plan(before, inputs, dialect).changes]).toEqual([[], []]);
          expect(inputs.arguments).toEqual(before.arguments);
        }
      }),
      runs(100),
    );
  });
});
