/** Secrets of a stack, as the CLI encrypts them. */
import { createCipheriv, randomBytes } from "node:crypto";
import { key } from "./key-service";

/** A secret of a stack's configuration. */
export function seal(text: string): string {
  const nonce = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", key, nonce);
  const sealed = Buffer.concat([cipher.update(text), cipher.final(), cipher.getAuthTag()]);
  return `v1:${nonce.toString("base64")}:${sealed.toString("base64")}`;
}
