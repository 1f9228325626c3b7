import { describe, expect, it, vi } from 'vitest';
import type { LiveMessage, LiveRequest } from '#protocol/api';
import type { ControlFrame } from '#protocol/control';
import { FRAME_HEADER_BYTES, FRAME_KIND_SAMPLES, samplePayloadBytes, writeFrameHeader } from '#protocol/frames';
import { LiveClient } from './live-client';
import { SampleStore } from './sample-store';

/** A socket whose other end is the test. */
class TestSocket extends EventTarget {
  readyState = 0;
  binaryType = 'blob';
  /** Beside those for the queue, which every connection begins with. */
  readonly requests: LiveRequest[] = [];
  queueWatches = 0;
  send(text: string): void {
    const request = JSON.parse(text) as LiveRequest;
    if (request.type === 'watch_queue') this.queueWatches += 1;
    else this.requests.push(request);
  }
  opens(): void {
    this.readyState = 1;
    this.dispatchEvent(new Event('open'));
  }
  breaks(): void {
    this.readyState = 3;
    this.dispatchEvent(new Event('close'));
  }
  says(message: LiveMessage): void {
    this.dispatchEvent(new MessageEvent('message', { data: JSON.stringify(message) }));
  }
  streams(subscription: number, firstRow: number, rows: number): void {
    const payloadBytes = samplePayloadBytes(rows, 1);
    const bytes = new Uint8Array(8 + FRAME_HEADER_BYTES + payloadBytes);
    const view = new DataView(bytes.buffer);
    view.setUint32(0, subscription, true);
    writeFrameHeader(view, { payloadBytes, kind: FRAME_KIND_SAMPLES, stream: 0, seq: firstRow, rows }, 8);
    for (let i = 0; i < rows; i++) {
      view.setFloat64(24 + 8 * i, firstRow + i, true);
      view.setFloat32(24 + 8 * rows + 4 * i, firstRow + i, true);
    }
    this.dispatchEvent(new MessageEvent('message', { data: bytes.buffer }));
  }
}

const hello: ControlFrame = {
  type: 'hello',
  protocol: 1,
  engine_version: 'test',
  clock: 'virtual',
  duration_s: 1,
  period_ms: 10,
  streams: [
    {
      stream: 0,
      kind: 'link',
      direction: 'forward',
      columns: [
        { name: 'time_s', type: 'f64', unit: 's', label: 'time' },
        { name: 'capacity_mbps', type: 'f32', unit: 'Mbps', label: 'capacity' },
      ],
    },
  ],
};

function page() {
  const sockets: TestSocket[] = [];
  const client = new LiveClient(() => {
    const socket = new TestSocket();
    sockets.push(socket);
    return socket as unknown as WebSocket;
  });
  const store = new SampleStore((flush) => flush());
  const states: string[] = [];
  const stop = client.subscribeRun(
    'r1',
    store,
    (m) => states.push(m.state),
    (detail) => states.push(`refused: ${detail}`),
  );
  return { client, store, states, stop, sockets, socket: sockets[0]! };
}

describe('LiveClient', () => {
  it('asks for a run once the socket is open and fills its store', () => {
    const { socket, store, states } = page();
    expect(socket.requests).toEqual([]);
    socket.opens();
    expect(socket.requests).toEqual([
      { type: 'subscribe', subscription: 1, run: 'r1', from: {}, from_control: 0, skip_ahead: false },
    ]);
    socket.says({ type: 'state', subscription: 1, state: 'running', reason: null, time_s: 0, eta_s: null });
    socket.says({ type: 'control', subscription: 1, seq: 0, frame: hello });
    socket.streams(1, 0, 8);
    socket.says({ type: 'complete', subscription: 1 });
    expect(store.streams.get(0)?.rows).toBe(8);
    expect([states, store.complete]).toEqual([['running'], true]);
  });

  it('comes back after a lost connection and asks only for what is missing', () => {
    vi.useFakeTimers();
    const { client, socket, sockets, store } = page();
    socket.opens();
    socket.says({ type: 'control', subscription: 1, seq: 0, frame: hello });
    socket.streams(1, 0, 8);
    socket.breaks();
    expect(client.connection).toBe('lost');
    vi.advanceTimersByTime(300);
    const second = sockets[1]!;
    second.opens();
    expect(client.connection).toBe('open');
    expect(second.requests).toEqual([
      { type: 'subscribe', subscription: 2, run: 'r1', from: { '0': 8 }, from_control: 1, skip_ahead: false },
    ]);
    second.streams(1, 8, 8); // a number of the old attempt
    expect(store.streams.get(0)?.rows).toBe(8);
    second.streams(2, 8, 16);
    expect(store.streams.get(0)?.rows).toBe(24);
    vi.useRealTimers();
  });

  it('knows why no run is started, also after it came back', () => {
    vi.useFakeTimers();
    const { client, socket, sockets } = page();
    let told = 0;
    client.subscribeConnection(() => void (told += 1));
    socket.opens();
    expect([socket.queueWatches, client.hold]).toEqual([1, null]);
    const hold = { cause: 'disk_full', reason: 'the disk is full', hint: 'Free some space.' } as const;
    socket.says({ type: 'queue', hold });
    expect([client.hold, told]).toEqual([hold, 2]);
    socket.breaks();
    vi.advanceTimersByTime(300);
    sockets[1]!.opens();
    expect(sockets[1]!.queueWatches).toBe(1);
    sockets[1]!.says({ type: 'queue', hold: null });
    expect(client.hold).toBeNull();
    vi.useRealTimers();
  });

  it('asks again when a run is complete but rows are missing', () => {
    const { socket, store } = page();
    socket.opens();
    socket.says({ type: 'control', subscription: 1, seq: 0, frame: hello });
    socket.streams(1, 4, 4);
    socket.says({ type: 'complete', subscription: 1 });
    expect(store.complete).toBe(false);
    expect(socket.requests[1]).toMatchObject({ type: 'subscribe', subscription: 2, from: { '0': 0 }, from_control: 1 });
    socket.streams(2, 0, 8);
    socket.says({ type: 'complete', subscription: 2 });
    expect([store.streams.get(0)?.rows, store.complete]).toEqual([8, true]);
  });

  it('hands a refusal to the run that it is about', () => {
    const { socket, states } = page();
    socket.opens();
    socket.says({ type: 'error', subscription: 1, code: 'RUN_UNKNOWN', detail: 'no run r1' });
    expect(states).toEqual(['refused: no run r1']);
  });

  it('watches an experiment once for all listeners and stops with the last', () => {
    const { client, socket, stop } = page();
    socket.opens();
    stop();
    const seen: string[] = [];
    const first = client.watchExperiment('e1', (m) => seen.push(m.type));
    const second = client.watchExperiment('e1', (m) => seen.push(m.type));
    socket.says({
      type: 'experiment',
      experiment: 'e1',
      state: 'running',
      runs_done: 1,
      runs_failed: 0,
      runs_total: 2,
      eta_s: 3,
    });
    first();
    second();
    expect(seen).toEqual(['experiment', 'experiment']);
    expect(socket.requests.slice(1).map((r) => r.type)).toEqual(['unsubscribe', 'watch', 'unwatch']);
  });
});
