/** Secrets in a state file, as the CLI encrypts them with a passphrase. */
import { createDecipheriv, pbkdf2Sync } from "node:crypto";
import { passphrase } from "./environment";

export interface Sealed {
  readonly ciphertext: string;
}

export function isSealed(value: unknown): value is Sealed {
  return typeof value === "object" && value !== null && "ciphertext" in value;
}

/** @param salt of the stack: `v1:SALT:…` */
export function open({ ciphertext }: Sealed, salt: string): unknown {
  const [nonce, sealed] = ciphertext
    .split(":")
    .slice(1)
    .map((part) => Buffer.from(part, "base64"));
  const decipher = createDecipheriv("aes-256-gcm", keyFor(salt), nonce!);
  decipher.setAuthTag(sealed!.subarray(-16));
  const text = Buffer.concat([decipher.update(sealed!.subarray(0, -16)), decipher.final()]).toString();
  return JSON.parse(text) as unknown;
}

const keys = new Map<string, Buffer>();

/** Takes half a second, so once for each stack. */
function keyFor(salt: string): Buffer {
  const key =
    keys.get(salt) ??
    pbkdf2Sync(passphrase, Buffer.from(salt.split(":")[1]!, "base64"), 1_000_000, 32, "sha256");
  keys.set(salt, key);
  return key;
}
