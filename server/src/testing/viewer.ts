import { once } from 'node:events';
import { WebSocket } from 'ws';
import { LiveMessage, type LiveRequest } from '#protocol/api';
import { decodeSamples, type SampleBlock } from '#protocol/frames';
import { LIVE_SUBPROTOCOL, unwrapLiveFrame } from '#protocol/live';

type Message = LiveMessage & { readonly at: number };

/** A live connection that keeps what it was sent. */
export class Viewer {
  readonly messages: Message[] = [];
  readonly blocks: (SampleBlock & { readonly subscription: number; readonly at: number })[] = [];
  readonly socket: WebSocket;
  readonly #complete = new Set<number>();
  readonly #waiting = new Set<() => void>();

  private constructor(url: string) {
    this.socket = new WebSocket(url, LIVE_SUBPROTOCOL, { perMessageDeflate: false });
    this.socket.on('message', (data: Buffer, isBinary) => {
      const at = performance.now();
      if (isBinary) {
        const { subscription, frame } = unwrapLiveFrame(data);
        this.blocks.push({ ...decodeSamples(frame), subscription, at });
      } else {
        const message = LiveMessage.parse(JSON.parse(data.toString()));
        this.messages.push({ ...message, at });
        if (message.type === 'complete') this.#complete.add(message.subscription);
      }
      for (const look of this.#waiting) look();
    });
  }

  static async open(url: string): Promise<Viewer> {
    const viewer = new Viewer(url);
    await once(viewer.socket, 'open');
    return viewer;
  }

  ask(request: LiveRequest | object): void {
    this.socket.send(JSON.stringify(request));
  }

  subscribe(run: string, more: Partial<Extract<LiveRequest, { type: 'subscribe' }>> = {}): void {
    this.ask({ type: 'subscribe', subscription: 1, run, ...more });
  }

  /** Resolves when what has come satisfies the condition. */
  until(condition: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      const look = (): void => {
        if (!condition()) return;
        this.#waiting.delete(look);
        resolve();
      };
      this.#waiting.add(look);
      look();
    });
  }

  complete(subscription = 1): Promise<void> {
    return this.until(() => this.#complete.has(subscription));
  }

  of<T extends LiveMessage['type']>(type: T): Extract<Message, { type: T }>[] {
    return this.messages.filter((message): message is Extract<Message, { type: T }> => message.type === type);
  }

  /** Rows of one stream in the order in which they came. */
  rows(stream: number): number[] {
    return this.blocks
      .filter((block) => block.stream === stream)
      .flatMap((block) => Array.from({ length: block.rows }, (_, i) => block.firstRow + i));
  }

  async close(): Promise<void> {
    const closed = once(this.socket, 'close');
    this.socket.terminate();
    await closed;
  }
}

export const upTo = (end: number, from = 0): number[] => Array.from({ length: end - from }, (_, i) => from + i);
