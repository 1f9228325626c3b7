// How far the delayed-feedback oracle stays from the optimal: Zeus, table 1, gives that in ms. Of its networks two were recorded; ours are
// models of them, and only the oracle that is told the rate alone comes near.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { METRICS } from '#analysis/metrics';
import { importTrace } from '#bridge/traces';
import { asWritten } from './bench.ts';
import { runOverLink } from './link-run.ts';

const MADE = fileURLToPath(new URL('../../traces/made', import.meta.url));
const RTT_MS = 40;
const dir = mkdtempSync(join(tmpdir(), 'paceline-oracle-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

/** Mean packet delay less the optimal's, which is the base RTT. */
async function distance(trace: string, params?: { readonly knows: string }) {
  const { info } = await importTrace(join(MADE, `${trace}.trace.gz`), dir);
  const capacity = { kind: 'trace' as const, sha256: info.sha256, name: trace, offset_ms: 0 };
  const flows = [{ cca: 'oracle', ...(params === undefined ? {} : { params }) }];
  const { link, summary } = await runOverLink(
    { flows, capacity, queueBytes: null, rttMs: RTT_MS, seconds: 60 },
    asWritten(dir),
  );
  return { ms: (METRICS.packet_delay_mean.of(summary) ?? NaN) - RTT_MS, utilisation: link.utilisation };
}

describe.each([
  { trace: 'city-drive', published: 88 },
  { trace: 'beachfront-walk', published: 8 },
])('the oracle over $trace', ({ trace, published }) => {
  it('saturates it, as far from the optimal as published: within a tenth, or 2 ms', async () => {
    const { ms, utilisation } = await distance(trace);
    expect(utilisation).toBeGreaterThan(0.99);
    expect(Math.abs(ms - published)).toBeLessThan(Math.max(published / 10, 2));
  });

  it('does neither when it drains what it queued', async () => {
    const { ms, utilisation } = await distance(trace, { knows: 'queue' });
    expect(utilisation).toBeLessThan(0.95);
    expect(ms).toBeLessThan(published / 3);
  });
});
