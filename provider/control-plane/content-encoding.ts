/** Unpacks responses. Requests ask for uncompressed ones, but some gateways compress whatever they pass on. */
import { promisify } from "node:util";
import { brotliDecompress, gunzip, inflate } from "node:zlib";

/** The largest response once it is unpacked; bytes. */
export const largestResponse = 64 * 1024 * 1024;

type Unpack = (bytes: Uint8Array) => Promise<Uint8Array>;

const options = { maxOutputLength: largestResponse };
const encodings: Readonly<Record<string, Unpack>> = {
  gzip: (bytes) => promisify(gunzip)(bytes, options),
  deflate: (bytes) => promisify(inflate)(bytes, options),
  br: (bytes) => promisify(brotliDecompress)(bytes, options),
  identity: (bytes) => Promise.resolve(bytes),
};

/** The body, or the name of the encoding if it cannot be read. */
export async function decoded(
  bytes: Uint8Array,
  header: string | readonly string[] = "identity",
): Promise<Uint8Array | string> {
  const encoding = [header].flat().join(", ").trim().toLowerCase() || "identity";
  if (!Object.hasOwn(encodings, encoding)) return encoding;
  return bytes.length === 0 ? bytes : encodings[encoding]!(bytes).catch(() => encoding);
}
