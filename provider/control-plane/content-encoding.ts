/**
 * Unpacks responses. Requests ask for uncompressed ones, but some gateways compress whatever they pass on, name the wrong encoding,
 * or none.
 */
import { promisify } from "node:util";
import { brotliDecompress, gunzip, inflate, inflateRaw } from "node:zlib";

/** The largest response once it is unpacked; bytes. */
export const largestResponse = 64 * 1024 * 1024;
/** More layers than any gateway adds. */
const mostLayers = 4;

/** Why a body cannot be read. */
export interface Undecoded {
  /** As the response names it. */
  readonly encoding: string;
  readonly problem: "unknown" | "damaged" | "too large";
}

type Unpack = (bytes: Uint8Array) => Promise<Uint8Array>;

const options = { maxOutputLength: largestResponse };
const ungzip: Unpack = (bytes) => promisify(gunzip)(bytes, options);
/** Some servers leave out the header. */
const undeflate: Unpack = (bytes) =>
  promisify(inflate)(bytes, options).catch((error: unknown) => {
    if (isTooLarge(error)) throw error;
    return promisify(inflateRaw)(bytes, options);
  });
const encodings: Readonly<Record<string, Unpack>> = {
  ...{ gzip: ungzip, "x-gzip": ungzip },
  ...{ deflate: undeflate, "x-deflate": undeflate },
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
  if (layers.length > mostLayers) return { encoding, problem: "unknown" };
  let body = bytes;
  for (const layer of layers.reverse()) {
    if (body.length === 0) return body;
    const unpack = Object.hasOwn(encodings, layer) ? encodings[layer] : undefined;
    const unpacked = await unpackedBy(unpack, body);
    if (typeof unpacked !== "string") body = unpacked;
    // The gateway unpacked the body itself, and left the header.
    else if (unpacked !== "damaged" || !isText(body)) return { encoding, problem: unpacked };
  }
  for (let layer = 0; isGzip(body) && layer < mostLayers; layer++) {
    const unpacked = await unpackedBy(ungzip, body);
    if (typeof unpacked === "string") return { encoding: encoding || "gzip", problem: unpacked };
    body = unpacked;
  }
  return body;
}

async function unpackedBy(
  unpack: Unpack | undefined,
  bytes: Uint8Array,
): Promise<Uint8Array | Undecoded["problem"]> {
  if (unpack === undefined) return "unknown";
  return unpack(bytes).catch((error: unknown) => (isTooLarge(error) ? "too large" : "damaged"));
}

function isTooLarge(error: unknown): boolean {
  return (error as { code?: unknown }).code === "ERR_BUFFER_TOO_LARGE";
}

function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}

/** Whether it is valid UTF-8 without control characters, which packed bytes practically never are. */
function isText(bytes: Uint8Array): boolean {
  try {
    // eslint-disable-next-line no-control-regex -- these are what to look for
    return !/[\0-\x08\x0e-\x1f]/.test(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    return false;
  }
}
