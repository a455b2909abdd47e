import { describe, expect, it } from "vitest";
import { parseResponse } from "../../../provider/control-plane/parse";
import { WireDeployment, WirePage } from "../../../schema/wire";
import { get, post } from "../../support/http";

const deployment = { id: "d1", name: "chat", source: "internal_source", status: "READY" };

function errorOf(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return error;
  }
}

describe("a response of another shape", () => {
  it.each(["POST", "PATCH"] as const)(
    "leaves open whether the work of a %s was done, and names the place (A08, C12)",
    (method) => {
      const { id: _, ...nameless } = deployment;
      expect(errorOf(() => parseResponse(WireDeployment, nameless, { ...post, method }))).toMatchObject({
        kind: "foreign",
        isAmbiguous: true,
        message: `${method} /v2/deployments answered in a shape that is not the service's (id: is required)`,
      });
    },
  );

  it("of a GET leaves nothing open", () => {
    const page = { resources: {}, offset: 2 };
    expect(errorOf(() => parseResponse(WirePage, page, get))).toMatchObject({
      isAmbiguous: false,
      message: expect.stringContaining("(resources: expected a list, got an object)") as string,
    });
    const place = ["resources", 1];
    expect(
      errorOf(() => parseResponse(WireDeployment, { ...deployment, id: null }, get, place)),
    ).toMatchObject({
      message:
        "GET /v2/deployments answered in a shape that is not the service's (resources[1].id: expected a string, got null)",
    });
  });

  it("may be no object at all", () => {
    expect(errorOf(() => parseResponse(WireDeployment, undefined, post))).toMatchObject({
      kind: "foreign",
      message: expect.stringContaining("(the response: ") as string,
    });
  });
});
