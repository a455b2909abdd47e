import { expect, it } from "vitest";
import type { Http } from "../../../provider/control-plane/http";
import { uploadArchive } from "../../../provider/control-plane/upload";
import { langsmith } from "../../../provider/dialects/langsmith";
import { paced } from "../../../provider/time/pace";
import { VirtualClock } from "../../support/clock";
import { limitsOf } from "../../support/limits";

const part = Buffer.alloc(1024 * 1024);

it.each([
  ["each second in a terminal", true, Array.from({ length: 29 }, (_, index) => index + 1)],
  ["every ten seconds in a log", false, [10, 20]],
])("shows how much of the archive is uploaded, %s", async (_, isTerminal, seconds) => {
  const clock = new VirtualClock();
  const began = clock.now();
  const { limits, said } = limitsOf(clock);
  const shown: number[] = [];
  const count = paced(clock, isTerminal, (text) => {
    shown.push((clock.now() - began) / 1000);
    said.push(text);
  });
  const put = async (_: URL, __: object, body: AsyncIterable<Uint8Array>) => {
    for await (const _ of body) await clock.sleep(500);
    return { status: 200, headers: {}, text: "" };
  };
  const target = { upload_url: "https://storage.example.com/a?signature=b", object_path: "a" };
  const http = {
    ...{ transport: { put }, clock, allowsHttp: false, trace: () => undefined },
    call: () => Promise.resolve({ body: target }),
  } as unknown as Http;
  const archive = {
    size: 60 * part.length,
    async *read() {
      for (let index = 0; index < 60; index++) yield await Promise.resolve(part);
    },
  };
  const where = { id: "d1", path: "/upload/{id}", rules: langsmith.archives! };
  expect(await clock.run(uploadArchive(http, where, archive as never, { ...limits, count }))).toBe("a");
  expect(shown).toEqual(seconds);
  const percent = (at: number) => Math.floor(((at * 2 + 1) / 60) * 100);
  expect(said).toEqual([
    "uploading 60.0 MiB of source code",
    ...seconds.map((at) => `uploading ${percent(at)}% of 60.0 MiB of source code`),
  ]);
});
