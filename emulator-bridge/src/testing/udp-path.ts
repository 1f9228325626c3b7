import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

/** IP and UDP headers, which count on the wire. */
const HEADER_BYTES = 28;

export interface UdpPathOptions {
  readonly oneWayMs: number;
  /** Towards the server: a rate and a drop-tail queue. None: pure delay. */
  readonly bottleneck?: { readonly mbps: number; readonly queueBytes: number };
}

interface Held {
  readonly due: number;
  readonly data: Uint8Array;
}

/** One direction: packets leave in order, when they are due. */
class Line {
  readonly #held: Held[] = [];
  readonly #leave: (data: Uint8Array) => void;
  #timer: NodeJS.Timeout | null = null;

  constructor(leave: (data: Uint8Array) => void) {
    this.#leave = leave;
  }

  hold(data: Uint8Array, due: number): void {
    this.#held.push({ due, data });
    this.#timer ??= setTimeout(this.#release, due - performance.now());
  }

  close(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
  }

  readonly #release = (): void => {
    const now = performance.now();
    const later = this.#held.findIndex(({ due }) => due > now);
    for (const { data } of this.#held.splice(0, later === -1 ? this.#held.length : later)) this.#leave(data);
    const [next] = this.#held;
    this.#timer = next === undefined ? null : setTimeout(this.#release, Math.max(0, next.due - performance.now()));
  };
}

/** A path between one UDP client and a server, both on 127.0.0.1: a relay in this process, with the timers of Node. */
export class UdpPath {
  readonly #clientSide: Socket;
  readonly #serverSide: Socket;
  readonly #options: UdpPathOptions;
  readonly #lines: readonly [Line, Line];
  #client: AddressInfo | null = null;
  /** When the bottleneck has sent all that waits at it. */
  #busyUntil = 0;
  dropped = 0;

  static async to(target: number, options: UdpPathOptions): Promise<UdpPath> {
    const socket = (): Socket => createSocket({ type: 'udp4', recvBufferSize: 4 << 20, sendBufferSize: 4 << 20 });
    const clientSide = socket();
    const serverSide = socket();
    for (const side of [clientSide, serverSide]) {
      side.bind(0, '127.0.0.1');
      await once(side, 'listening');
    }
    return new UdpPath(clientSide, serverSide, target, options);
  }

  private constructor(clientSide: Socket, serverSide: Socket, target: number, options: UdpPathOptions) {
    this.#clientSide = clientSide;
    this.#serverSide = serverSide;
    this.#options = options;
    const toServer = new Line((data) => serverSide.send(data, target, '127.0.0.1'));
    const toClient = new Line((data) => {
      if (this.#client !== null) clientSide.send(data, this.#client.port, this.#client.address);
    });
    this.#lines = [toServer, toClient];
    clientSide.on('message', (data, from) => {
      this.#client = from;
      const through = this.#through(data.byteLength + HEADER_BYTES);
      if (through !== null) toServer.hold(data, through + options.oneWayMs);
    });
    serverSide.on('message', (data) => toClient.hold(data, performance.now() + options.oneWayMs));
  }

  get port(): number {
    return this.#clientSide.address().port;
  }

  close(): void {
    for (const line of this.#lines) line.close();
    this.#clientSide.close();
    this.#serverSide.close();
  }

  /** When a packet that arrives now has passed the bottleneck; null: dropped. */
  #through(bytes: number): number | null {
    const now = performance.now();
    const { bottleneck } = this.#options;
    if (bottleneck === undefined) return now;
    const bytesPerMs = bottleneck.mbps * 125;
    const waiting = Math.max(0, this.#busyUntil - now) * bytesPerMs;
    if (waiting + bytes > bottleneck.queueBytes) {
      this.dropped += 1;
      return null;
    }
    this.#busyUntil = Math.max(now, this.#busyUntil) + bytes / bytesPerMs;
    return this.#busyUntil;
  }
}
