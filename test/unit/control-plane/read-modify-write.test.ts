/** Objects that the service stores as a whole: changing a part of one never loses what somebody else set in it. */
import { describe, expect, it } from "vitest";
import { Translator, withWhatOthersSet } from "../../../provider/control-plane/translate";
import { langsmith } from "../../../provider/dialects/langsmith";
import { standard } from "../../../provider/dialects/standard";
import type { Values } from "../../../provider/values";

const { rewritten } = new Translator(langsmith);

async function rewriting(sent: Values, current: Values | undefined) {
  let reads = 0;
  const read = () => {
    reads++;
    return Promise.resolve(current);
  };
  const body = await withWhatOthersSet(sent, rewritten, read);
  return { body, reads };
}

const spec = (resource_spec: unknown, more: Values = {}) => ({ source_config: { ...more, resource_spec } });

describe("a resource specification that is sent", () => {
  it("carries what others set, fields that nobody here knows included (C03)", async () => {
    const current = spec({
      cpu: 1,
      queue_cpu: 2,
      core_cpu: 3,
      sidecars: [{ name: "log", newKey: 1 }],
      labels: null,
    });
    const { body, reads } = await rewriting(
      spec({ cpu: 4 }, { custom_url: "https://a.example.com" }),
      current,
    );
    expect(body).toEqual(
      spec(
        { cpu: 4, queue_cpu: 2, core_cpu: 3, sidecars: [{ name: "log", newKey: 1 }] },
        { custom_url: "https://a.example.com" },
      ),
    );
    expect(reads).toBe(1);
  });

  it("leaves out what the program took away, and nothing but that", async () => {
    const current = spec({ cpu: 1, memory_mb: 512, queue_cpu: 2 });
    expect((await rewriting(spec({ cpu: null, memory_mb: 1024 }), current)).body).toEqual(
      spec({ memory_mb: 1024, queue_cpu: 2 }),
    );
    expect((await rewriting(spec({ cpu: null }), spec({ cpu: 1 }))).body).toEqual(spec({}));
  });

  it.each([undefined, {}, spec(null), { source_config: null }, spec("text")])(
    "is alone where the service has %j",
    async (current) => {
      expect((await rewriting(spec({ cpu: 1, memory_mb: null }), current)).body).toEqual(spec({ cpu: 1 }));
    },
  );

  it("keeps null where it is data", async () => {
    const volumes = [{ name: "a", emptyDir: { medium: null } }];
    expect((await rewriting(spec({ volumes }), undefined)).body).toEqual(spec({ volumes }));
  });

  it("is not sent where the current one cannot be read (C05)", async () => {
    const broken = new Error("no response");
    await expect(withWhatOthersSet(spec({ cpu: 1 }), rewritten, () => Promise.reject(broken))).rejects.toBe(
      broken,
    );
  });
});

describe("a change of something else", () => {
  it.each([{}, { source_config: { build_on_push: true } }, { secrets: [] }, { source_config: null }])(
    "is sent as it is, and reads nothing: %j (C04)",
    async (sent) => {
      expect(await rewriting(sent, spec({ cpu: 1 }))).toEqual({ body: sent, reads: 0 });
    },
  );
});

it("only the public service stores a resource specification so that its parts have to be kept", () => {
  expect(rewritten).toEqual([["source_config", "resource_spec"]]);
  expect(new Translator(standard).rewritten).toEqual([]);
});
