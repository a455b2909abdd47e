/** Secrets of a stack, as the CLI encrypts them with a passphrase. */
import { createCipheriv, createDecipheriv, pbkdf2Sync, randomBytes } from "node:crypto";
import { passphrase } from "./environment";

export interface Sealed {
  readonly ciphertext: string;
}

export function isSealed(value: unknown): value is Sealed {
  return typeof value === "object" && value !== null && "ciphertext" in value;
}

/** Of the stacks of tests: a salt, and a text that the passphrase opens. */
export const salt = "v1:VbiBZNsDu3A=:v1:vdIs4FWbr0e6AsL7:NYw8/DgkaFVGTJ0J9gjyEuR/jyig4Q==";

/** A secret of a stack's configuration. */
export function seal(text: string): string {
  const nonce = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", keyFor(salt), nonce);
  const sealed = Buffer.concat([cipher.update(text), cipher.final(), cipher.getAuthTag()]);
  return `v1:${nonce.toString("base64")}:${sealed.toString("base64")}`;
}

/** @param from the salt of the stack: `v1:SALT:…` */
export function open({ ciphertext }: Sealed, from: string): unknown {
  const [nonce, sealed] = ciphertext
    .split(":")
    .slice(1)
    .map((part) => Buffer.from(part, "base64"));
  const decipher = createDecipheriv("aes-256-gcm", keyFor(from), nonce!);
  decipher.setAuthTag(sealed!.subarray(-16));
  const text = Buffer.concat([decipher.update(sealed!.subarray(0, -16)), decipher.final()]).toString();
  return JSON.parse(text) as unknown;
}

const keys = new Map<string, Buffer>();

/** Takes half a second, so once for each salt. */
function keyFor(salt: string): Buffer {
  const key =
    keys.get(salt) ??
    pbkdf2Sync(passphrase, Buffer.from(salt.split(":")[1]!, "base64"), 1_000_000, 32, "sha256");
  keys.set(salt, key);
  return key;
}
