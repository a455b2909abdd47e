import * as pulumi from "@pulumi/pulumi";
import { beforeAll, expect, it } from "vitest";
import { read } from "../../docs/documents";
import { registrationsOf, standInForTheEngine } from "../manifest/engine-stand-in";
import { compile } from "../manifest/generated";

beforeAll(standInForTheEngine);

/** As `@pulumi/docker` asks a registry for it. */
const docker = (digest: string) => ({
  getRegistryImageOutput: ({ name }: { name: string }) => pulumi.output({ name, sha256Digest: digest }),
});

it("a tag that moves changes the image of the documented program, and one that stays does not", async () => {
  const [, program = ""] =
    /recipe: a tag that moves -->\s+```ts\n([^]+?)```/.exec(read("docs/recipes/images.md")) ?? [];
  const images: unknown[] = [];
  for (const digest of ["sha256:aa", "sha256:aa", "sha256:bb"]) {
    const [chat] = await registrationsOf(await compile(program, { "@pulumi/docker": docker(digest) }));
    images.push(
      (chat!.inputs as { sourceRevisionConfig: { imageUri: string } }).sourceRevisionConfig.imageUri,
    );
  }
  const image = "registry.example.com/chat:stable";
  expect(images).toEqual([`${image}@sha256:aa`, `${image}@sha256:aa`, `${image}@sha256:bb`]);
});
