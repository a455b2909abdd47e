import fc from "fast-check";
import { expect, it } from "vitest";
import { Deployment } from "../../../schema/deployment";
import { accidentalImages, Image, movingTag } from "../../../schema/images";
import { problemsOf } from "../../../schema/problems";
import { rulesOf } from "../../../schema/rules";
import { withValueAt, type Path, type Values } from "../../../schema/tree";

const deployment = (imageUri: unknown, more: Values = {}) => ({
  sourceRevisionConfig: { imageUri },
  ...more,
});
const notAnImage =
  "expected an image such as registry.example.com/chat:1.4.2: no https://, no white space, no invisible characters such as a line end";
const messagesOf = (text: string) => problemsOf(Image, text).map(({ message }) => message);

const images = [
  ...["chat", "chat:1.4.2", "acme/chat", "r.example.com/x:1", "r.example.com:5000/team/x", "localhost/x"],
  ...["registry:5000/x:1", "[::1]:5000/x", "r.example.com/a--b__c.d_e/f:V1_2.3-x", `x:${"a".repeat(128)}`],
  ...[`x@sha256:${"0f".repeat(32)}`, `R.example.com/x:1@sha256:${"0F".repeat(32)}`, "x:undefined"],
];

it.each(images)("%s is an image", (text) => {
  expect(messagesOf(text)).toEqual([]);
});

it("an image with white space, control or zero-width characters anywhere is refused, and its text not quoted", () => {
  const invisible = "  \t\r\n\u00a0\u200b\u200d\u2060\ufeff\u00ad\u0000\u3000";
  fc.assert(
    fc.property(
      fc.constantFrom(...images),
      fc.constantFrom(...invisible),
      fc.nat(),
      (image, character, at) => {
        const place = at % (image.length + 1);
        expect(messagesOf(image.slice(0, place) + character + image.slice(place))).toEqual([notAnImage]);
      },
    ),
  );
});

it.each(["", "https://r.example.com/x:1", "docker://x", "/x", "x/", "x:[object Object]"])(
  "%o is no image",
  (text) => expect(messagesOf(text)).toEqual([notAnImage]),
);

const unreplaced = "contains a variable that nothing has replaced";
it.each([
  ["r.example.com/x:", "has an empty tag"],
  ["r.example.com/x:1:2", "has two tags"],
  ["registry:5000:1", "has two tags"],
  [`x:${"a".repeat(129)}`, "has a tag of 129 characters"],
  ["x:1.0+build.5", "has a tag with +"],
  ["x@sha256:abc", "has an invalid digest"],
  ["ghcr.io/Acme-Corp/Bot:1.0", "has capital letters in its repository"],
  ["r.example.com/x:$(Build.BuildId)", unreplaced],
  ["r.example.com/x:%BUILD%", unreplaced],
  ["${REGISTRY}/x:1", unreplaced],
])("%s is refused because it %s", (text, beginning) => {
  const containers = [{ name: "a", image: text }];
  const resourceSpec = { sidecars: containers, initContainers: containers };
  const args = { name: "chat", source: "external_container", sourceConfig: { resourceSpec } };
  const problems = problemsOf(Deployment, { ...args, sourceRevisionConfig: { imageUri: text } });
  expect(problems).toHaveLength(3);
  for (const { message } of problems) {
    expect(message.slice(0, beginning.length)).toBe(beginning);
    expect(message).not.toMatch(/Acme|Build|IMAGE|REGISTRY/);
  }
});

it.each([
  ["r.example.com/x:undefined", "undefined"],
  ["r.example.com:5000/x:null", "null"],
  ["r.example.com/x:[object Promise]", "[object Promise]"],
  [`r.example.com/x:None@sha256:${"0123".repeat(16)}`, "None"],
  ["undefined/x:1", "undefined"],
  ["r.example.com/x:1", undefined],
  ["r.example.com/null/x:undefined-1", undefined],
])("the image %s is doubtful for %s", (image, word) => {
  const messages = accidentalImages(deployment(image)).map(({ message }) => message);
  expect(messages).toEqual(
    word === undefined ? [] : [expect.stringMatching(`^contains ${word.replace("[", "\\[")}, `)],
  );
});

it.each([
  ["x", "no tag"],
  ["host:5000/x", "no tag"],
  ["host:5000/x:latest", "the tag latest"],
  ["host:5000/x:1", undefined],
  ["host/x:latest@sha256:0123", undefined],
])("the tag of %s moves: %s", (image, words) => {
  const messages = (more?: Values) => movingTag(deployment(image, more)).map(({ message }) => message);
  expect(messages()).toEqual(words === undefined ? [] : [expect.stringContaining(`has ${words}`)]);
  expect(messages({ triggers: [1] })).toEqual([]);
});

const warnings = [
  "Calling [toString] on an [Output<T>] is not supported.\n\nTo get",
  '"Calling [toJSON] on an [Output<T>] is not supported.\\n"',
  "Calling __str__ on an Output[T] is not supported.",
  "Calling [ToString] on an [Output<T>] is not supported.",
];
const places: Path[] = [
  ["name"],
  ["sourceRevisionConfig", "imageUri"],
  ["secrets", "PEER"],
  ["secretReferences", "DB", "secretName"],
  ["sourceConfig", "resourceSpec", "labels", "a.b/c"],
  ["sourceConfig", "resourceSpec", "sidecars", 0, "args", 1],
  ["triggers", "deep", 0],
];

it("a text with the SDK's warning of an Output is refused anywhere, also in a key, and never quoted", () => {
  fc.assert(
    fc.property(fc.constantFrom(...warnings), fc.constantFrom(...places), (warning, path) => {
      const outer = {
        sourceConfig: { resourceSpec: { sidecars: [{ args: ["a", "b"] }] } },
        triggers: { deep: [1] },
      };
      const [problem, ...others] = rulesOf(withValueAt(outer, path, `hush-hush ${warning} more`));
      expect([problem?.path, others]).toEqual([path, []]);
      expect(problem?.message).toContain("pulumi.interpolate");
      expect(problem?.message).not.toContain("hush");
      expect(rulesOf({ secrets: { [warning]: "1" } })).toMatchObject([{ path: ["secrets"] }]);
    }),
  );
});

it("a number that JSON does not have is refused in free forms too", () => {
  const volumes = [{ name: "a", emptyDir: { sizeLimit: NaN } }];
  const given = { triggers: { a: [1, -Infinity] }, sourceConfig: { resourceSpec: { volumes } } };
  expect(rulesOf(given).map(({ path }) => path.join("."))).toEqual([
    "triggers.a.1",
    "sourceConfig.resourceSpec.volumes.0.emptyDir.sizeLimit",
  ]);
});
