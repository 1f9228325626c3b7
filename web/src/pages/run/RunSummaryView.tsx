// The exact figures of a finished run: one strip for the link, one row per flow.
import type { CcaDescriptor } from '#protocol/cca';
import type { RunManifest } from '#protocol/manifest';
import type { DelayStats, RunSummary } from '#protocol/summary';
import { missingText, sharedFairness, windowsText } from '#analysis/fairness';
import { METRICS } from '#analysis/metrics';
import { basisNote, basisOf } from '#analysis/packet-delay';
import { flowsBeside, passesLink } from '#analysis/own-elements';
import { labelOfFlow } from '../../plots/flows';
import { CcaLink } from '../ccas/CcaLink';
import { CcaMark } from '../../ui/cca-mark';
import {
  alignDecimals,
  formatCount,
  formatDelay,
  formatMeasured,
  formatPercent,
  formatRate,
  formatTimes,
  NO_VALUE,
} from '../../ui/format';
import { cx } from '../../ui/cx';
import { Badge } from '../../ui/page';
import { describeSource, healthOf } from './describe';
import { WideTable } from '../../ui/scroll';
import page from '../../ui/page.module.css';
import css from './run.module.css';

interface SummaryProps {
  readonly manifest: RunManifest;
  readonly summary: RunSummary;
  /** That made it, if the server did not. */
  readonly worker?: string | undefined;
}

export function SummaryStrip({ manifest, summary, worker }: SummaryProps) {
  const health = healthOf(manifest, summary, worker);
  const link = summary.links.find((l) => l.direction === 'forward');
  const several = manifest.flows.length > 1;
  const beside = flowsBeside(manifest.forward.path, manifest.flows);
  const { value: jain, missing_k: missing, flows: sharing } = sharedFairness(summary, beside);
  const apart = sharing.length < summary.receivers.length;
  const ofRtts = basisNote(basisOf([summary]));
  const windows = jain === null ? null : windowsText(missing);
  return (
    <dl className={css['strip']} aria-label="Summary">
      <div>
        <dt title={METRICS.utilisation.definition}>Utilisation</dt>
        <dd>{formatPercent(link?.utilisation)}</dd>
      </div>
      <div>
        <dt title={METRICS.queueing_mean.definition}>Queueing delay</dt>
        <dd>
          {formatDelay(link?.queueing_delay.mean_ms)}{' '}
          <small>mean · {formatDelay(link?.queueing_delay.p95_ms)} p95</small>
        </dd>
      </div>
      <div>
        <dt title={METRICS.delay_inflation.definition}>Delay over base RTT</dt>
        <dd>
          {formatTimes(METRICS.delay_inflation.of(summary))}{' '}
          {ofRtts === null ? null : <small title={ofRtts.title}>{ofRtts.text}</small>}
        </dd>
      </div>
      <div>
        <dt title={METRICS.loss.definition}>Loss</dt>
        <dd>{formatPercent(METRICS.loss.of(summary))}</dd>
      </div>
      {several ? (
        <div>
          <dt title={apart ? OF_SHARING : OF_ALL}>Jain’s index</dt>
          <dd>
            {formatMeasured(jain)} {apart ? <small>{overFlows(sharing)}</small> : null}
            {windows === null ? null : <small title={missingText(missing)}>{windows} windows</small>}
          </dd>
        </div>
      ) : null}
      <div>
        <dt>Emulator</dt>
        <dd title={health.detail}>
          <Badge {...(health.kind === 'bad' ? { kind: 'bad' as const } : {})}>{health.text}</Badge>{' '}
          {worker === undefined || manifest.engine === 'virtual' ? null : <small>on {worker}</small>}
        </dd>
      </div>
    </dl>
  );
}

const OF_ALL = 'Jain’s index over rolling windows, mean of short and long ones';
const OF_SHARING =
  'Jain’s index of the throughputs, over the whole run, of the flows that share the link: what joins behind it competes for nothing with them';
const BESIDE = 'It joins behind the link’s bottleneck, and shares nothing of its capacity';

/** As the table numbers them. */
function overFlows(flows: readonly number[]): string {
  const names = flows.map((flow) => String(flow + 1));
  return names.length < 2
    ? `flow ${names.join('')} alone passes the link`
    : `of flows ${names.slice(0, -1).join(', ')} and ${names.at(-1) ?? ''}`;
}

/** Why an external program's figure is missing. */
const UNSEEN = 'Only the program knows: the link cannot see it';

/** Of flows whose applications write transfers, frames, or what was recorded. */
export function MessageTable({ manifest, summary, ccas }: FlowTableProps) {
  const rows = summary.receivers.flatMap(({ flow, messages }) => {
    const offered = summary.senders.find((sender) => sender.flow === flow)?.messages;
    return messages === undefined || offered === undefined ? [] : [{ flow, offered, received: messages }];
  });
  const delay = (read: (stats: DelayStats) => number | null): string[] =>
    alignDecimals(rows.map(({ received }) => formatMeasured(read(received.delay))));
  const columns: readonly (readonly [string, string[]])[] = [
    ['Written', rows.map(({ offered }) => formatCount(offered.count))],
    ['Whole', rows.map(({ received }) => formatCount(received.completed))],
    [
      'On time',
      rows.map(({ offered, received }) => formatPercent(offered.due === 0 ? null : received.on_time / offered.due)),
    ],
    ['Delay mean, ms', delay((s) => s.mean_ms)],
    ['p50', delay((s) => s.p50_ms)],
    ['p95', delay((s) => s.p95_ms)],
    ['p99', delay((s) => s.p99_ms)],
    ['max', delay((s) => s.max_ms)],
  ];
  return (
    <WideTable label="Messages of each flow">
      <table className={page['table']}>
        <thead>
          <tr>
            <th>Flow</th>
            <th>Application</th>
            {columns.map(([name]) => (
              <th key={name} className={page['num']}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ flow }, i) => (
            <tr key={flow}>
              <td>
                <FlowName flow={flow} manifest={manifest} ccas={ccas} />
              </td>
              <td>{describeSource(manifest.flows[flow]?.source ?? { kind: 'bulk' })}</td>
              {columns.map(([name, cells]) => (
                <td key={name} className={page['num']}>
                  {cells[i]}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </WideTable>
  );
}

export const hasMessages = ({ receivers }: RunSummary): boolean =>
  receivers.some(({ messages }) => messages !== undefined);

function FlowName({ flow, manifest, ccas }: { flow: number } & Omit<FlowTableProps, 'summary'>) {
  const cca = manifest.flows[flow]?.cca ?? { id: '', params: {} };
  const passes = passesLink(manifest, flow);
  return (
    <span className={cx(css['flowName'], !passes && css['unbroken'])}>
      <CcaMark cca={ccas.get(cca.id)} />
      {manifest.flows.length > 1 ? `${flow + 1} · ` : ''}
      <CcaLink cca={ccas.get(cca.id)} params={cca.params}>
        {labelOfFlow(cca, ccas)}
      </CcaLink>
      {passes ? null : (
        <small className={css['beside']} title={BESIDE}>
          beside the link
        </small>
      )}
    </span>
  );
}

interface FlowTableProps extends SummaryProps {
  readonly ccas: ReadonlyMap<string, CcaDescriptor>;
}

/** What sending cost in real time, of a processor; nothing where nobody measured it. */
function cpuColumn({ links, senders }: RunSummary): (readonly [string, string[]])[] {
  const link = links.find(({ direction }) => direction === 'forward');
  if (link === undefined || senders.every(({ cpu_s }) => cpu_s === undefined)) return [];
  const share = senders.map(({ cpu_s }) => (cpu_s === undefined ? null : (100 * cpu_s) / (link.to_s - link.from_s)));
  return [['CPU, %', alignDecimals(share.map((percent) => formatMeasured(percent)))]];
}

export function FlowTable({ manifest, summary, ccas }: FlowTableProps) {
  const link = summary.links.find(({ direction }) => direction === 'forward');
  const rows = summary.senders.map((sender) => ({
    sender,
    receiver: summary.receivers.find((receiver) => receiver.flow === sender.flow),
    queueing: link?.flows?.find(({ flow }) => flow === sender.flow)?.queueing_delay,
  }));
  const column = (read: (row: (typeof rows)[number]) => string): string[] => alignDecimals(rows.map(read));
  const rtt = (read: (stats: DelayStats) => number | null) => column((row) => formatMeasured(read(row.sender.rtt)));
  const whyMissing = (cca: string, cell = ''): string | undefined =>
    cell.trim() === NO_VALUE && ccas.get(cca)?.kind === 'external' ? UNSEEN : undefined;
  const columns: readonly (readonly [string, string[]])[] = [
    ['Throughput', rows.map((row) => formatRate(row.receiver?.throughput_mbps))],
    ['RTT mean, ms', rtt((s) => s.mean_ms)],
    ['p50', rtt((s) => s.p50_ms)],
    ['p95', rtt((s) => s.p95_ms)],
    ['p99', rtt((s) => s.p99_ms)],
    ['max', rtt((s) => s.max_ms)],
    ['One-way, ms', column(({ receiver }) => formatMeasured(receiver?.owd.mean_ms))],
    ['p95', column(({ receiver }) => formatMeasured(receiver?.owd.p95_ms))],
    ['Queueing, ms', column(({ queueing }) => formatMeasured(queueing?.mean_ms))],
    ['p95', column(({ queueing }) => formatMeasured(queueing?.p95_ms))],
    ['Sent, packets', rows.map((row) => formatCount(row.sender.sent_packets))],
    ['Lost', rows.map((row) => formatCount(row.sender.lost_packets))],
    ['Retransmitted', rows.map((row) => formatCount(row.sender.retransmitted_packets))],
    ['Loss episodes', rows.map((row) => formatCount(row.sender.loss_episodes))],
    ['Timeouts', rows.map((row) => formatCount(row.sender.timeouts))],
    ...cpuColumn(summary),
  ];
  return (
    <WideTable label="Figures of each flow">
      <table className={page['table']}>
        <thead>
          <tr>
            <th>Flow</th>
            {columns.map(([name], place) => (
              <th key={String(place)} className={page['num']}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ sender }, i) => (
            <tr key={sender.flow}>
              <td>
                <FlowName flow={sender.flow} manifest={manifest} ccas={ccas} />
              </td>
              {columns.map(([, cells], place) => (
                <td key={String(place)} className={page['num']} title={whyMissing(sender.cca, cells[i])}>
                  {cells[i]}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </WideTable>
  );
}
