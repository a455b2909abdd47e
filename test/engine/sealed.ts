/** Secrets of a stack, as the CLI encrypts them. */
import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { key } from "./key-service";

/** A secret of a stack's configuration. */
export function seal(text: string): string {
  const nonce = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", key, nonce);
  const sealed = Buffer.concat([cipher.update(text), cipher.final(), cipher.getAuthTag()]);
  return `v1:${nonce.toString("base64")}:${sealed.toString("base64")}`;
}

/** What such a secret holds. */
export function unseal(text: string): string {
  const [nonce, sealed] = text
    .split(":")
    .slice(1)
    .map((part) => Buffer.from(part, "base64")) as [Buffer, Buffer];
  const decipher = createDecipheriv("aes-256-gcm", key, nonce);
  decipher.setAuthTag(sealed.subarray(-16));
  return Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()]).toString();
}
