/** A gateway that compresses responses, whatever the request accepts. */
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import type { Compression } from "../state/control-plane";

const packers: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  gzip: gzipSync,
  "x-gzip": gzipSync,
  deflate: deflateSync,
  br: brotliCompressSync,
};

/** The body as the gateway passes it on, and the header that says so. */
export function compressed(
  compression: Compression | null,
  status: number,
  text: string,
): { readonly bytes: Buffer; readonly header: Record<string, string> } {
  const bytes = Buffer.from(text);
  const { encoding = "", from = 1, only } = compression ?? {};
  const isLeft = encoding === "" || bytes.length < from || (only === "errors" && status < 400);
  if (isLeft) return { bytes, header: {} };
  const names = encoding.split(",").map((name) => name.trim());
  return {
    bytes: names.reduce<Buffer>((all, name) => packers[name]?.(all) ?? all, bytes),
    header: { "content-encoding": encoding },
  };
}
