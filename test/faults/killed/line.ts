/** The line between the product and a service: it can be cut, and then takes calls again. */
import { connect, createServer, type AddressInfo, type Socket } from "node:net";

export interface Line {
  readonly url: string;
  /** Ends every connection at once, those that wait for a response too. */
  cut(): void;
  close(): Promise<void>;
}

export async function openLine(service: string): Promise<Line> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    const inner = connect(Number(new URL(service).port), "127.0.0.1");
    for (const [one, other] of [
      [socket, inner],
      [inner, socket],
    ] as const) {
      sockets.add(one);
      one
        .on("error", () => {})
        .on("close", () => {
          sockets.delete(one);
          other.destroy();
        });
      one.pipe(other);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut,
    close: () => {
      cut();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
