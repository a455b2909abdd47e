import { ListRequest } from "@pulumi/pulumi/proto/provider_pb";
import { expect, it } from "vitest";
import type { Operations } from "../../../provider/engine/operations";
import { Listings } from "../../../provider/plugin/listing";
import { typeToken } from "../../support/plugin-process";
import { observed } from "../../support/observed";

it("lists no preview builds, which the service manages", async () => {
  const pages = [["chat", "chat-pr-7"].map((name) => observed({ name, isPreview: name !== "chat" }))];
  const client = {
    async *list() {
      yield* pages;
    },
  };
  const operations = { configured: { connection: { client } } } as unknown as Operations;
  const page = await new Listings(operations).page(new ListRequest().setToken(typeToken));
  expect(page.map((each) => each.getResult()?.getName())).toEqual(["chat"]);
});
