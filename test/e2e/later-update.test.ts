import { expect, it } from "vitest";
import { program, useProduct } from "./support";

const chain = (tag: string) =>
  program(`
let before;
for (const name of ["first", "second", "third"]) {
const args = { source: "external_container", sourceRevisionConfig: { imageUri: "app:${tag}" }, secrets: { OWN: "${tag}" } };
before = new Deployment(name, args, { dependsOn: before ? [before] : [] });
}
`);
const patched: string[] = [];
const chained = useProduct({
  program: chain("1"),
  env: { DEPLOYMENT_SERVICE_POLL_INTERVAL: "1200ms" },
  emulator: {
    secrets: "clear",
    rollout: { polls: 1 },
    onRequest: ({ method, path }) => {
      if (method !== "PATCH" || patched.push(path) !== 2) return;
      chained.emulator.change(
        "third",
        ({ secrets }) => void secrets.push({ name: "HAND", value: "by hand" }),
      );
    },
  },
});

it("an update that begins later keeps what others added while the run was waiting for another deployment", async () => {
  await chained.up();
  chained.stack.write(chain("2"));
  await chained.up();
  expect(patched).toHaveLength(3);
  const third = chained.emulator.deployments().find(({ name }) => name === "third");
  expect(Object.fromEntries(third!.secrets.map(({ name, value }) => [name, value]))).toEqual({
    OWN: "2",
    HAND: "by hand",
  });
});
