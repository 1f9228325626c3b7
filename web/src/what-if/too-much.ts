// What is left to the server: a page that anybody can send a link to must not be filled by it.
import { formatCount } from '#analysis/format';
import type { SpecProblem } from '#analysis/check-params';
import { PACKET_BYTES } from '#analysis/limits';
import type { RunManifest } from '#protocol/manifest';

/** Some seconds of one core. */
const MOST_PACKETS = 30e6;
/** Of all streams; a row has some twenty numbers. */
const MOST_ROWS = 1e6;

/** The fastest of the links that data pass. `meanOf`: Mbps of a trace by its hash; a link without a rate is none. */
function fastest({ capacity, path = [] }: RunManifest['forward'], meanOf: (sha256: string) => number): number {
  const rates = [capacity, ...path.map((element) => element.capacity)].map((each) =>
    each?.kind === 'constant' ? each.rate_mbps : each?.kind === 'trace' ? meanOf(each.sha256) : 0,
  );
  return Math.max(...rates);
}

export function tooMuch(manifest: RunManifest, meanOf: (sha256: string) => number): readonly SpecProblem[] {
  const { duration_s, sample_period_ms, flows } = manifest;
  const mean_mbps = fastest(manifest.forward, meanOf);
  const packets = (mean_mbps * 1e6 * duration_s) / (8 * PACKET_BYTES);
  const rows = ((1 + 2 * flows.length) * duration_s * 1e3) / sample_period_ms;
  const problem = (path: string, what: string): SpecProblem => ({
    path: [path],
    message: `${what}, more than a page should simulate at every move; run it as an experiment`,
  });
  return [
    ...(packets > MOST_PACKETS ? [problem('duration_s', `this run sends some ${formatCount(packets)} packets`)] : []),
    ...(rows > MOST_ROWS ? [problem('sample_period_ms', `this run has ${formatCount(rows)} rows of samples`)] : []),
  ];
}
