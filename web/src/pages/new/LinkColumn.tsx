// The link, the flows on it, and how it is run.
import { Fragment, type ReactNode, useState } from 'react';
import { Button as AriaButton, Disclosure, DisclosurePanel, Heading } from 'react-aria-components';
import type { TraceRecord } from '#protocol/api';
import type { EngineListing, QueueDescriptor } from '#protocol/cca';
import type { KindField } from '#protocol/experiment-kind';
import type { Vary } from '#protocol/spec';
import { LIMITS } from '#protocol/limits';
import { buttonClass } from '../../ui/button';
import { Segmented, Select } from '../../ui/choice';
import { NumberField } from '../../ui/number-field';
import { Checkbox, Switch } from '../../ui/toggle';
import { formatChosen, formatCount, formatDuration } from '../../ui/format';
import { Icon } from '../../ui/icons';
import { BuffersField } from './BuffersField';
import { Chip, Chips } from './Chip';
import { FlowDetails, FlowsField } from './FlowsField';
import type { FullScores } from './full-scores';
import { NumbersField } from './NumbersField';
import { ParamsDialog } from './ParamsDialog';
import { PathField } from './PathField';
import { ScoresField } from './ScoresField';
import { SweepField } from './SweepField';
import { TransportsField } from './TransportsField';
import { traceOf, traceRef, turnsKept, variedBy } from './draft';
import type { ColumnProps } from './TracesColumn';
import css from './new.module.css';

const VARIES: readonly { readonly id: Vary; readonly label: string; readonly help: string }[] = [
  { id: 'start_jitter', label: 'start of flows', help: 'each flow starts up to a base RTT later' },
  { id: 'trace_phase', label: 'place in the trace', help: 'each repetition begins elsewhere in the trace' },
  { id: 'cca_random', label: 'chance inside algorithms', help: 'algorithms that draw random numbers draw others' },
];

interface LinkColumnProps extends ColumnProps {
  readonly traces: readonly TraceRecord[] | undefined;
  readonly listing: EngineListing | undefined;
  readonly scores: FullScores;
  /** Parts that come first, in this order; absent: all have their usual places. */
  readonly front?: readonly KindField[] | undefined;
}

/** The parts of the form that a kind of experiment may bring to the front. */
function partsOf(props: LinkColumnProps): Readonly<Record<KindField, ReactNode>> {
  const { draft, change, listing } = props;
  return {
    limits: <BuffersField {...props} />,
    base_rtt: <BaseRttField draft={draft} change={change} />,
    flows: <FlowsField {...props} />,
    flow_details: <FlowDetails draft={draft} change={change} listing={listing} />,
    sweep: <SweepField draft={draft} change={change} listing={listing} />,
    transports: <TransportsField draft={draft} change={change} />,
    scores: <ScoresField {...props} />,
  };
}

export function LinkColumn(props: LinkColumnProps) {
  const { draft, change, front = [] } = props;
  const parts = partsOf(props);
  /** In its usual place, unless it stands at the front. */
  const usual = (part: KindField): ReactNode => (front.includes(part) ? null : parts[part]);
  return (
    <section className={css['column']} aria-label="Link, flows, run">
      <header>
        <h2>Link, flows, run</h2>
      </header>
      {front.length === 0 ? null : (
        <div className={css['front']}>
          {front.map((part) => (
            <Fragment key={part}>{parts[part]}</Fragment>
          ))}
          <hr className={css['rule']} />
        </div>
      )}
      <div className={css['parts']}>
        <div className={css['halves']}>
          <div>
            {usual('limits')}
            <div className={css['pair']}>
              {usual('base_rtt')}
              <NumbersField
                label="Random loss, %"
                help="Packets that vanish before the queue, as radio losses do."
                effect={
                  draft.loss.some((p) => p > 0) ? `1 packet of ${formatCount(1 / Math.max(...draft.loss))}` : undefined
                }
                values={draft.loss.map((p) => Number((p * 100).toPrecision(9)))}
                min={LIMITS.loss.min * 100}
                max={LIMITS.loss.max * 100}
                onChange={(percent) => change({ loss: percent.map((p) => p / 100) })}
              />
            </div>
            <QueuesField {...props} />
          </div>
          <hr className={css['rule']} />
          <div>
            {usual('flows')}
            {front.includes('flows') ? null : <hr className={css['rule']} />}
            <RunFields draft={draft} change={change} />
            {usual('scores')}
          </div>
        </div>
      </div>
      <MoreSettings {...props} usual={usual} />
    </section>
  );
}

const BaseRttField = ({ draft, change }: ColumnProps) => (
  <NumbersField
    label="Base RTT, ms"
    help="Round trip without any queue. Several values, separated by commas, make cells of their own."
    values={draft.base_rtt_ms}
    {...LIMITS.base_rtt_ms}
    onChange={(base_rtt_ms) => change({ base_rtt_ms })}
  />
);

interface MoreSettingsProps extends LinkColumnProps {
  readonly usual: (part: KindField) => ReactNode;
}

function MoreSettings({ usual, ...props }: MoreSettingsProps) {
  const { draft, change, listing } = props;
  return (
    /* What is not at its default is in sight. */
    <Disclosure
      defaultExpanded={draft.elements !== undefined || draft.sweep !== undefined || draft.transports !== undefined}
    >
      <Heading level={3}>
        <AriaButton slot="trigger" className={buttonClass({ kind: 'quiet', size: 'small' })}>
          <Icon name="gear" size={14} />
          More settings
        </AriaButton>
      </Heading>
      <DisclosurePanel>
        <div className={css['more']}>
          <div className={css['pair']}>
            <NumberField
              label="Sampling period"
              unit="ms"
              {...LIMITS.sample_period_ms}
              value={draft.sample_period_ms}
              onChange={(sample_period_ms) => change({ sample_period_ms })}
              help="How often the live figures are written. Summaries come from every packet, whatever this is."
            />
            <ReverseField {...props} />
            <NumberField
              label="Begins in the trace at"
              unit="s"
              {...LIMITS.start_s}
              value={draft.trace_from_s ?? 0}
              onChange={(from) => change({ trace_from_s: from === 0 ? undefined : from })}
              help="Where in its trace each link is when a run begins."
            />
          </div>
          {listing?.ccas.some((cca) => cca.kind === 'quic') ? (
            <div className={css['block']}>
              <Switch value={draft.qlog} onChange={(qlog) => change({ qlog })}>
                Keep qlogs
              </Switch>
              <div className={css['help']}>
                Of each flow over QUIC, at most 64 MB: the run’s page offers it for download, and qvis draws it.
              </div>
            </div>
          ) : null}
          {usual('transports')}
          {usual('sweep')}
          <PathField {...props} />
          {usual('flow_details')}
        </div>
      </DisclosurePanel>
    </Disclosure>
  );
}

function RunFields({ draft, change }: ColumnProps) {
  const varied = variedBy(draft);
  return (
    <>
      <div className={css['pair']}>
        <NumberField
          label="Duration"
          unit="s"
          {...LIMITS.duration_s}
          value={draft.duration_s}
          onChange={(duration_s) => change({ duration_s, ...turnsKept(draft, duration_s) })}
          help="Link time of each run."
          effect={`${formatCount((draft.duration_s * 1000) / draft.sample_period_ms)} samples per stream`}
        />
        <NumberField
          label="Repetitions"
          {...LIMITS.repetitions}
          step={1}
          value={draft.repetitions}
          onChange={(repetitions) => change({ repetitions })}
          help="Runs per cell; results show their spread."
        />
        <NumberField
          label="Seed"
          {...LIMITS.seed}
          step={1}
          value={draft.seed}
          onChange={(seed) => change({ seed })}
          help="The same seed gives the same bytes again."
        />
      </div>
      <Segmented
        label="Engine"
        value={draft.engine}
        options={[
          { id: 'virtual', label: 'Virtual time' },
          { id: 'realtime', label: 'Real time' },
        ]}
        onChange={(engine) => change({ engine })}
        help={
          draft.engine === 'virtual'
            ? 'Simulated clock: exact, repeatable, much faster than the link.'
            : `Real UDP packets through this machine, ${formatDuration(draft.duration_s)} per run. Each run is a measurement and differs a little.`
        }
      />
      {draft.engine === 'virtual' && draft.repetitions > 1 ? (
        <div className={css['block']}>
          <h3>Between repetitions, vary</h3>
          {VARIES.map((vary) => (
            <Checkbox
              key={vary.id}
              isSelected={varied.includes(vary.id)}
              onChange={(on) =>
                change({
                  vary: VARIES.map((v) => v.id).filter((id) => (id === vary.id ? on : varied.includes(id))),
                })
              }
            >
              <span>
                {vary.label} <span className={css['help']}>({vary.help})</span>
              </span>
            </Checkbox>
          ))}
        </div>
      ) : null}
    </>
  );
}

function QueuesField({ draft, change, listing }: LinkColumnProps) {
  const [open, setOpen] = useState<QueueDescriptor | null>(null);
  const queues = listing?.queues ?? [];
  const ref = (id: string) => draft.queues.find((queue) => queue.id === id);
  const order = (list: typeof draft.queues) =>
    queues.flatMap((queue) => list.filter((chosen) => chosen.id === queue.id));
  if (queues.length === 0) return null;
  return (
    <div className={css['block']}>
      <h3>Queue discipline</h3>
      <Chips label="Queue discipline">
        {queues.map((queue) => (
          <Chip
            key={queue.id}
            label={queue.label}
            isOn={ref(queue.id) !== undefined}
            onChange={(on) =>
              change({
                queues: on
                  ? order([...draft.queues, { id: queue.id, params: {} }])
                  : draft.queues.filter((other) => other.id !== queue.id),
              })
            }
            onGear={queue.params.length === 0 ? undefined : () => setOpen(queue)}
            isChanged={Object.keys(ref(queue.id)?.params ?? {}).length > 0}
          />
        ))}
      </Chips>
      {queues
        .filter((queue) => ref(queue.id) !== undefined)
        .map((queue) => (
          <p key={queue.id} className={css['help']}>
            <b>{queue.label}:</b> {queue.summary}
          </p>
        ))}
      {open === null ? null : (
        <ParamsDialog
          title={`Parameters of ${open.label}`}
          about={open.summary}
          known={open.params}
          values={ref(open.id)?.params ?? {}}
          onClose={() => setOpen(null)}
          onApply={(params) =>
            change({
              queues: order([...draft.queues.filter((queue) => queue.id !== open.id), { id: open.id, params }]),
            })
          }
        />
      )}
    </div>
  );
}

const UNLIMITED = '';

function ReverseField({ draft, change, traces }: LinkColumnProps) {
  const reverse = draft.reverse;
  const current = reverse === undefined ? undefined : traceOf(reverse, traces ?? []);
  const constant =
    reverse !== undefined && 'rate_mbps' in reverse
      ? [{ id: 'rate', label: `${formatChosen(reverse.rate_mbps)} Mbps` }]
      : [];
  return (
    <Select
      label="Way back"
      value={reverse === undefined ? UNLIMITED : (current?.id ?? 'rate')}
      options={[
        { id: UNLIMITED, label: 'unlimited' },
        ...constant,
        ...(traces ?? []).map((trace) => ({ id: trace.id, label: trace.name })),
      ]}
      onChange={(id) => {
        const trace = traces?.find((candidate) => candidate.id === id);
        change({ reverse: trace === undefined ? undefined : traceRef(trace, traces ?? []) });
      }}
      help="Capacity for the acknowledgements."
    />
  );
}
