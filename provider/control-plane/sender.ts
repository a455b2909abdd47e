import type { RawResponse } from "./response";

/** A request as it goes over the wire. */
export interface Message {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
}

export interface Sender {
  /**
   * Rejects with the signal's reason where that ends it.
   *
   * @param answered is told the status as soon as it is known
   */
  send(message: Message, signal: AbortSignal, answered: (status: number) => void): Promise<RawResponse>;
}

/** In bytes. */
export const largestAnswer = 64 * 1024 * 1024;
