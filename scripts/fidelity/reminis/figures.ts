// Reminis' figures 7 and 8: whatever the queue, the delay is near the threshold and four fifths of the link are used. They are means over
// recordings of 5G, and so are these.
import { METRICS } from '#analysis/metrics';
import { importTrace } from '#bridge/traces';
import type { Finding } from '#protocol/fidelity';
import type { Bench } from '../bench.ts';
import { judged } from '../deviations.ts';
import { bandText, numberText, type Band } from '../finding.ts';
import type { Lanes } from '../lanes.ts';
import { mean, PACKET_BYTES, runOverLink } from '../link-run.ts';
import type { TraceFile } from '../orderings.ts';

const RTT_MS = 20;
const DTT_MS = 1.5 * RTT_MS;
const PACKETS = [800, 3200, 12_800, 51_200];
const UTILISATION: Band = { low: 70, high: 90 };
const D3: Band = { high: 1.1 };

export interface FiguresOptions {
  readonly seconds: number;
  readonly bench: Bench;
  readonly lanes: Lanes;
}

export async function checkReminisFigures(
  recordings: readonly TraceFile[],
  { seconds, bench, lanes }: FiguresOptions,
): Promise<Finding[]> {
  const traces = await Promise.all(
    recordings.map(async ({ name, path }) => ({ name, sha256: (await importTrace(path, bench.dir)).info.sha256 })),
  );
  const findings = await Promise.all(
    PACKETS.map(async (packets) => {
      const reached = await Promise.all(
        traces.map(({ name, sha256 }) =>
          lanes.run(async () => {
            const { link, summary } = await runOverLink(
              {
                flows: [{ cca: 'reminis' }],
                capacity: { kind: 'trace', sha256, name, offset_ms: 0 },
                queueBytes: packets * PACKET_BYTES,
                rttMs: RTT_MS,
                seconds,
                samplePeriodMs: 100,
                ackEvery: 2,
              },
              bench,
            );
            return {
              utilisation: 100 * (link.utilisation ?? NaN),
              d3: (METRICS.packet_delay_mean.of(summary) ?? NaN) / DTT_MS,
            };
          }),
        ),
      );
      const finding = (id: string, figure: string, band: Band, values: readonly number[]): Finding => {
        const span = [Math.min(...values), Math.max(...values)].map(numberText).join('–');
        return judged(
          {
            section: 'orderings',
            id: `orderings/reminis-${id}-${packets}`,
            ccas: ['reminis'],
            what: `${values.length} recordings of 5G, ${packets} packets, ${RTT_MS} ms, ${seconds} s: Reminis’ ${figure}`,
            expected: bandText(band),
            measured: `${numberText(mean(values))} (${span})`,
            source: 'Reminis, figures 7 and 8',
          },
          [{ name: figure, band, value: mean(values) }],
          bench,
        );
      };
      return [
        finding(
          'delay',
          `mean packet delay / DTT of ${DTT_MS} ms`,
          D3,
          reached.map(({ d3 }) => d3),
        ),
        finding(
          'utilisation',
          'utilisation %',
          UTILISATION,
          reached.map(({ utilisation }) => utilisation),
        ),
      ];
    }),
  );
  return findings.flat();
}
