/** A self-signed certificate for the loopback address, made here: there is no openssl on every machine. */
import { createSign, generateKeyPairSync, randomBytes } from "node:crypto";

export interface Certificate {
  /** Both as PEM. */
  readonly key: string;
  readonly cert: string;
}

export function selfSigned(): Certificate {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  // Each has another name: of several trusted ones with the same name only one would be tried.
  const algorithm = sequence(oid([0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02]));
  const commonName = sequence(
    oid([0x55, 0x04, 0x03]),
    der(0x0c, Buffer.from(randomBytes(8).toString("hex"))),
  );
  const name = sequence(der(0x31, commonName));
  const year = new Date().getUTCFullYear();
  const validity = sequence(time(year - 1), time(year + 1));
  const loopback = der(0x87, Buffer.of(127, 0, 0, 1));
  const names = sequence(oid([0x55, 0x1d, 0x11]), der(0x04, sequence(loopback)));
  const body = sequence(
    der(0xa0, integer(Buffer.of(2))),
    integer(Buffer.concat([Buffer.of(1), randomBytes(8)])),
    algorithm,
    name,
    validity,
    name,
    publicKey.export({ type: "spki", format: "der" }),
    der(0xa3, sequence(names)),
  );
  const signature = createSign("sha256").update(body).sign(privateKey);
  const certificate = sequence(body, algorithm, der(0x03, Buffer.concat([Buffer.of(0), signature])));
  return { key: privateKey.export({ type: "pkcs8", format: "pem" }) as string, cert: pem(certificate) };
}

/** Tag, length, content. */
function der(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.of(tag, ...size), content]);
}

const sequence = (...parts: Buffer[]) => der(0x30, Buffer.concat(parts));
const oid = (bytes: number[]) => der(0x06, Buffer.from(bytes));
const integer = (bytes: Buffer) => der(0x02, bytes);
const time = (year: number) => der(0x18, Buffer.from(`${year}0101000000Z`));

function pem(content: Buffer): string {
  const lines = content.toString("base64").match(/.{1,64}/g) ?? [];
  return ["-----BEGIN CERTIFICATE-----", ...lines, "-----END CERTIFICATE-----", ""].join("\n");
}
