// One algorithm twice: as the example's shared library in the native program, and as a text in the page's engine. Both come to the same.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { nativeDir, programPath } from '#bridge/programs';
import { manifest as fakeManifest } from '#bridge/testing/fake-programs';
import { EngineListing } from '#protocol/cca';
import { decodeSamples, FRAME_HEADER_BYTES, FRAME_KIND_CONTROL, readFrameHeader } from '#protocol/frames';
import type { RunManifest } from '#protocol/manifest';
import { createEngine } from '../engine.ts';
import { interpreterModule, programOf, withProgram } from '../testing/own.ts';

const EXAMPLE = join(import.meta.dirname, '../../../examples/cca-plugin');
const MODULE = join(nativeDir(), 'paceline.wasm');

const AIMD = `
class Aimd implements Controller {
  cwnd_bytes: number;
  ssthresh_bytes = Infinity;
  constructor(private readonly setup: Setup) {
    this.cwnd_bytes = setup.mss_bytes * setup.initial_window_packets;
  }
  get phase(): string {
    return this.cwnd_bytes < this.ssthresh_bytes ? 'slow start' : 'avoidance';
  }
  get ssthresh_packets(): number {
    return this.ssthresh_bytes === Infinity ? NaN : this.ssthresh_bytes / this.setup.mss_bytes;
  }
  onAck(ack: Ack): void {
    if (!ack.window_limited || (ack.recovery !== 'none' && ack.recovery !== 'timeout')) return;
    const { increase } = this.setup.params;
    this.cwnd_bytes += this.cwnd_bytes < this.ssthresh_bytes ? ack.acked_bytes : (increase * this.setup.mss_bytes * ack.acked_bytes) / this.cwnd_bytes;
  }
  onLoss(loss: Loss): void {
    if (loss.new_episode)
      this.cwnd_bytes = this.ssthresh_bytes = Math.max(2 * this.setup.mss_bytes, this.cwnd_bytes * this.setup.params.decrease);
  }
  onTimeout(timeout: Timeout): void {
    if (!timeout.repeated)
      this.ssthresh_bytes = Math.max(2 * this.setup.mss_bytes, timeout.inflight_before_bytes * this.setup.params.decrease);
    this.cwnd_bytes = this.setup.mss_bytes;
  }
}
export default {
  name: 'AIMD',
  params: {
    increase: { type: 'number', label: 'Increase', unit: 'packets', default: 1, min: 0.1, max: 10 },
    decrease: { type: 'number', label: 'Decrease factor', default: 0.5, min: 0.1, max: 0.95 },
  },
  internals: { ssthresh_packets: { label: 'ssthresh', unit: 'packets' } },
  create: (setup) => new Aimd(setup),
} satisfies Algorithm;
`;

const folder = mkdtempSync(join(tmpdir(), 'paceline-plugin-'));
const library = join(folder, 'aimd.so');
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});
beforeAll(() => {
  execFileSync('cmake', ['-S', EXAMPLE, '-B', folder], { stdio: 'pipe' });
  execFileSync('cmake', ['--build', folder], { stdio: 'pipe' });
});

const list = (): EngineListing =>
  EngineListing.parse(JSON.parse(execFileSync(programPath('paceline-list'), ['--cca-plugin', library]).toString()));

const TRACE = Array.from(
  { length: 4000 },
  (_, ms) => `${ms + 1} ${ms % 1500 < 900 ? 1 + (ms % 2) : ms % 3 === 0 ? 1 : 0}`,
);

function natively(manifest: RunManifest): Uint8Array {
  const file = join(folder, 'manifest.json');
  writeFileSync(file, JSON.stringify(manifest));
  const { stdout, stderr, status } = spawnSync(
    programPath('paceline-simulate'),
    ['--manifest', file, '--traces', folder, '--cca-plugin', library],
    { maxBuffer: 64 * 1024 * 1024 },
  );
  expect([status, stderr.toString()]).toEqual([0, '']);
  return stdout;
}

/** All columns of every stream, and the summary without the algorithm's name. */
function toldBy(bytes: Uint8Array): { readonly samples: Record<number, number[][]>; readonly rest: string[] } {
  const samples: Record<number, number[][]> = {};
  const rest: string[] = [];
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 0; at < bytes.byteLength;) {
    const header = readFrameHeader(view, at);
    const frame = bytes.subarray(at, at + FRAME_HEADER_BYTES + header.payloadBytes);
    at += frame.byteLength;
    if (header.kind === FRAME_KIND_CONTROL) {
      const { type, event, detail, value, links } = JSON.parse(
        new TextDecoder().decode(frame.subarray(FRAME_HEADER_BYTES)),
      ) as Record<string, unknown>;
      rest.push(JSON.stringify({ type, event, detail, value, links }));
      continue;
    }
    const { stream, time, columns } = decodeSamples(frame);
    const all = (samples[stream] ??= []);
    for (const [i, column] of [time, ...columns].entries()) (all[i] ??= []).push(...column);
  }
  return { samples, rest };
}

describe.skipIf(!existsSync(MODULE))('a plug-in and a text of the same algorithm', () => {
  it('come to the same samples, events and figures', { timeout: 300_000 }, async () => {
    const engine = await createEngine(new Uint8Array(readFileSync(MODULE)), interpreterModule);
    const found = list().ccas.find(({ id }) => id === 'example-aimd');
    expect(found?.params.map(({ name }) => name)).toEqual(['increase', 'decrease']);
    const text = `# ms count\n${TRACE.join('\n')}\n`;
    const sha256 = 'c'.repeat(64);
    writeFileSync(join(folder, `${sha256}.trace`), text);
    const usual = fakeManifest({ engine_version: engine.version, duration_s: 20 });
    const params = { increase: 1.7, decrease: 0.6 };
    const base: RunManifest = {
      ...usual,
      forward: { ...usual.forward, loss: 0.0005, capacity: { kind: 'trace', sha256, name: 't', offset_ms: 0 } },
    };
    const native = toldBy(
      natively({
        ...base,
        flows: base.flows.map((flow) => ({
          ...flow,
          cca: { id: 'example-aimd', params, revision: found?.revision ?? '' },
        })),
      }),
    );
    const program = programOf(AIMD);
    const frames: Uint8Array[] = [];
    const outcome = await engine.run(
      withProgram(base, program, params),
      {
        traces: new Map([[sha256, new TextEncoder().encode(text)]]),
        programs: new Map([[program.sha256, program.bytes]]),
      },
      { onFrame: (bytes) => frames.push(bytes) },
    );
    expect([outcome.outcome, outcome.reason]).toEqual(['done', null]);
    const own = toldBy(Buffer.concat(frames));
    expect(own.samples[16]?.[0]?.length).toBeGreaterThan(100);
    expect(own.rest.filter((text) => text.includes('phase')).length).toBeGreaterThan(1);
    expect(own).toEqual(native);
  });

  it('one that is another build by now is refused, and so is one that is none', () => {
    const file = join(folder, 'manifest.json');
    const usual = fakeManifest({ engine_version: list().engine_version });
    const flows = usual.flows.map((flow) => ({
      ...flow,
      cca: { id: 'example-aimd', params: { increase: 1, decrease: 0.5 }, revision: '0123456789ab' },
    }));
    writeFileSync(file, JSON.stringify({ ...usual, flows }));
    const words = ['--manifest', file, '--traces', folder];
    const other = spawnSync(programPath('paceline-simulate'), [...words, '--cca-plugin', library]);
    expect([other.status, other.stderr.toString()]).toEqual([2, expect.stringContaining('is another one now')]);
    const none = spawnSync(programPath('paceline-simulate'), [...words, '--cca-plugin', file]);
    expect([none.status, none.stderr.toString()]).toEqual([2, expect.stringContaining('cannot be loaded')]);
    const twice = spawnSync(programPath('paceline-list'), [
      '--cca-plugin',
      library,
      '--cca-plugin',
      `${folder}/./aimd.so`,
    ]);
    expect([twice.status, twice.stderr.toString()]).toEqual([2, expect.stringContaining('"example-aimd" already')]);
  });
});
