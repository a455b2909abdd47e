/** Unpacks responses. Requests ask for uncompressed ones, but some gateways compress whatever they pass on. */
import { promisify } from "node:util";
import { brotliDecompress, gunzip, inflate, inflateRaw } from "node:zlib";

/** The largest response once it is unpacked; bytes. */
export const largestResponse = 64 * 1024 * 1024;

/** Why a body cannot be read. */
export interface Undecoded {
  /** As the response names it. */
  readonly encoding: string;
  readonly problem: "unknown" | "damaged";
}

type Unpack = (bytes: Uint8Array) => Promise<Uint8Array>;

const options = { maxOutputLength: largestResponse };
const ungzip: Unpack = (bytes) => promisify(gunzip)(bytes, options);
/** Some servers send no header of the format. */
const undeflate: Unpack = (bytes) =>
  promisify((bytes[0]! & 0x0f) === 8 ? inflate : inflateRaw)(bytes, options);
const encodings: Readonly<Record<string, Unpack>> = {
  gzip: ungzip,
  "x-gzip": ungzip,
  deflate: undeflate,
  br: (bytes) => promisify(brotliDecompress)(bytes, options),
  identity: (bytes) => Promise.resolve(bytes),
};

/** @param header `Content-Encoding`, with the encoding that was applied last at the end */
export async function decoded(
  bytes: Uint8Array,
  header: string | readonly string[] | undefined,
): Promise<Uint8Array | Undecoded> {
  const named = [header ?? []].flat().join(",").toLowerCase().split(",");
  const layers = named.map((each) => each.trim()).filter(Boolean);
  const encoding = layers.join(", ");
  let body = bytes;
  for (const layer of layers.reverse()) {
    if (!Object.hasOwn(encodings, layer)) return { encoding, problem: "unknown" };
    try {
      if (body.length > 0) body = await encodings[layer]!(body);
    } catch {
      return { encoding, problem: "damaged" };
    }
  }
  return body;
}
