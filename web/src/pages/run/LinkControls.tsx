// The link of a run that goes on, changed by hand. What is sent takes effect at once and leaves a mark on the time axis.
import { useState } from 'react';
import type { RunManifest } from '#protocol/manifest';
import { LIMITS } from '#protocol/limits';
import { changeLink, type LinkOrder } from '../../api/actions';
import { Button } from '../../ui/button';
import { Select } from '../../ui/choice';
import { NumberField } from '../../ui/number-field';
import { ProblemNotice } from '../../ui/notice';
import { Section } from '../../ui/page';
import { linkAfter, orderOf, planned, type Link } from './link-state';
import css from './run.module.css';

type Direction = LinkOrder['direction'];

const DIRECTIONS = [
  { id: 'forward', label: 'Data' },
  { id: 'reverse', label: 'Acknowledgements' },
] as const;

interface LinkControlsProps {
  readonly id: string;
  readonly manifest: RunManifest;
  /** What the run's telemetry says was changed, in order. */
  readonly orders: readonly LinkOrder[];
}

export function LinkControls({ id, manifest, orders }: LinkControlsProps) {
  const [direction, setDirection] = useState<Direction>('forward');
  // Not sent yet.
  const [edits, setEdits] = useState<Readonly<Record<Direction, Partial<Link>>>>({ forward: {}, reverse: {} });
  const [fault, setFault] = useState<unknown>(null);
  const [sending, setSending] = useState(false);
  // Sent, but the telemetry has not told of it yet.
  const [sent, setSent] = useState<{ readonly order: LinkOrder; readonly after: number } | null>(null);
  const applied = sent !== null && sent.after === orders.length ? [...orders, sent.order] : orders;
  const now = linkAfter(planned(manifest[direction]), direction, applied);
  const link: Link = { ...now, ...edits[direction] };
  const order = orderOf(direction, now, link);
  const isTrace = manifest[direction].capacity.kind === 'trace';
  const change = (part: Partial<Link>): void => setEdits({ ...edits, [direction]: { ...edits[direction], ...part } });
  const apply = async (): Promise<void> => {
    if (order === null) return;
    setSending(true);
    setFault(null);
    try {
      await changeLink(id, order);
      setSent({ order, after: orders.length });
      setEdits((all) => ({ ...all, [direction]: {} }));
    } catch (error) {
      setFault(error);
    } finally {
      setSending(false);
    }
  };

  return (
    <Section
      title="Change the link"
      note="At once, while it runs. Each change is marked on the time axis and kept with the result, which then no longer counts in averages."
    >
      {fault === null ? null : <ProblemNotice error={fault} />}
      <div className={css['link']}>
        <Select label="Direction" value={direction} options={DIRECTIONS} onChange={setDirection} />
        <NumberField
          label={link.rate_mbps === null && isTrace ? 'Rate (now the trace)' : 'Rate'}
          value={link.rate_mbps ?? NaN}
          onChange={(rate_mbps) => change({ rate_mbps })}
          unit="Mbps"
          {...LIMITS.rate_mbps}
        />
        <NumberField
          label="Delay, one way"
          value={link.delay_ms}
          onChange={(delay_ms) => change({ delay_ms })}
          unit="ms"
          {...LIMITS.delay_ms}
        />
        <NumberField
          label="Random loss"
          value={link.loss * 100}
          onChange={(percent) => change({ loss: Math.round(percent * 1e6) / 1e8 })}
          unit="%"
          min={LIMITS.loss.min * 100}
          max={LIMITS.loss.max * 100}
          step={0.01}
          steppers={false}
        />
        <NumberField
          label={link.limit_bytes === null ? 'Queue limit (now none)' : 'Queue limit'}
          value={link.limit_bytes === null ? NaN : link.limit_bytes / 1000}
          onChange={(kilobytes) =>
            change({ limit_bytes: Math.max(LIMITS.queue_bytes.min, Math.round(kilobytes * 1000)) })
          }
          unit="kB"
          min={LIMITS.queue_bytes.min / 1000}
          digits={3}
          steppers={false}
        />
        <div className={css['linkActions']}>
          <Button kind="primary" isDisabled={order === null || sending} onPress={() => void apply()}>
            Apply
          </Button>
          {isTrace && link.rate_mbps !== null ? (
            <Button onPress={() => change({ rate_mbps: null })}>Back to the trace</Button>
          ) : null}
        </div>
      </div>
    </Section>
  );
}
