// What the README and docs/studies.md say of the studies is of the studies that are shipped: claim by claim, in their words.
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { StoredStudies } from '#protocol/study';
import { shippedStudies } from '../server/src/studies/read-studies.ts';

const stored = StoredStudies.parse(JSON.parse(readFileSync(new URL('../docs/studies.json', import.meta.url), 'utf8')));

const texts = (studies: readonly { readonly id: string; readonly figures: readonly Figure[] }[]): string[] =>
  studies.flatMap(({ id, figures }) =>
    figures.flatMap((figure) => figure.claims.map((claim) => `${id} ${figure.id} ${claim.id}: ${claim.text}`)),
  );
interface Figure {
  readonly id: string;
  readonly claims: readonly { readonly id: string; readonly text: string }[];
}

describe('docs/studies.json', () => {
  it('has every claim of every study, and no other (npm run studies writes it)', () => {
    expect(texts(stored.studies)).toEqual(texts(shippedStudies()));
  });

  it('is of runs that were made', () => {
    const verdicts = stored.studies.flatMap(({ figures }) =>
      figures.flatMap(({ claims }) => claims.map(({ outcome }) => outcome.verdict)),
    );
    expect(verdicts).not.toContain('open');
    expect(verdicts.length).toBeGreaterThan(90);
  });

  it('gives no reason that no run shows', () => {
    const unshown = stored.studies.flatMap(({ id, figures }) =>
      figures.flatMap(({ claims }) =>
        claims.flatMap(({ id: claim, reason }) => (reason !== null && reason.shown !== true ? [`${id}/${claim}`] : [])),
      ),
    );
    expect(unshown).toEqual([]);
  });
});

/** What is read of a report of `iperf3 -J --get-server-output`. */
const Report = z.object({
  end: z.object({
    sum_received: z.object({ bits_per_second: z.number() }),
    streams: z.array(z.object({ sender: z.object({ mean_rtt: z.number() }) })),
    sender_tcp_congestion: z.string(),
  }),
});

describe('what Zeus’ figure 5 is held against here', () => {
  it('is in the reports of iperf3 that lie beside the study', () => {
    const zeus = shippedStudies().find(({ id }) => id === 'zeus');
    const printed = (id: string): unknown => {
      const tested = zeus?.figures.flatMap(({ claims }) => claims).find((claim) => claim.id === id)?.tested;
      return tested !== undefined && 'expect' in tested ? tested.expect.paper : undefined;
    };
    const throughput: Record<string, number> = {};
    const rtt: Record<string, number> = {};
    for (const name of ['cubic', 'bbr', 'reno']) {
      const file = new URL(`../server/studies/live/48mbps-${name}.iperf3.json.gz`, import.meta.url);
      const { end } = Report.parse(JSON.parse(gunzipSync(readFileSync(file)).toString()));
      expect(end.sender_tcp_congestion).toBe(name);
      const key = name === 'reno' ? 'newreno' : name;
      // Payload of 1448 bytes in packets of 1500.
      throughput[key] = Number(((end.sum_received.bits_per_second / 1e6) * (1500 / 1448)).toFixed(2));
      rtt[key] = Number(((end.streams[0]?.sender.mean_rtt ?? NaN) / 1e3).toFixed(1));
    }
    expect(printed('iperf3-throughput')).toEqual(throughput);
    expect(printed('iperf3-rtt')).toEqual(rtt);
  });
});
