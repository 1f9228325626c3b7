// The link of a run that goes on, changed by hand. What is sent takes effect at once and leaves a mark on the time axis.
import { useState } from 'react';
import type { LinkSpec, RunManifest } from '#protocol/manifest';
import { changeLink, type LinkOrder } from '../../api/actions';
import { Button } from '../../ui/button';
import { NumberField, Select } from '../../ui/fields';
import { ProblemNotice } from '../../ui/notice';
import { Section } from '../../ui/page';
import css from './run.module.css';

type Direction = LinkOrder['direction'];

interface Link {
  readonly rate_mbps: number | null;
  readonly delay_ms: number;
  readonly loss: number;
  readonly limit_bytes: number | null;
}

const DIRECTIONS = [
  { id: 'forward', label: 'Data' },
  { id: 'reverse', label: 'Acknowledgements' },
] as const;

const planned = ({ capacity, delay_ms, loss, queue }: LinkSpec): Link => ({
  rate_mbps: capacity.kind === 'constant' ? capacity.rate_mbps : null,
  delay_ms,
  loss,
  limit_bytes: queue.limit_bytes,
});

/** Only what differs from what the link is now. */
function orderOf(direction: Direction, now: Link, next: Link): LinkOrder | null {
  const order: LinkOrder = {
    direction,
    ...(next.rate_mbps === now.rate_mbps
      ? {}
      : next.rate_mbps === null
        ? { capacity: 'trace' as const }
        : { rate_mbps: next.rate_mbps }),
    ...(next.delay_ms === now.delay_ms ? {} : { delay_ms: next.delay_ms }),
    ...(next.loss === now.loss ? {} : { loss: next.loss }),
    ...(next.limit_bytes === now.limit_bytes ? {} : { limit_bytes: next.limit_bytes }),
  };
  return Object.keys(order).length === 1 ? null : order;
}

export function LinkControls({ id, manifest }: { readonly id: string; readonly manifest: RunManifest }) {
  const [direction, setDirection] = useState<Direction>('forward');
  const [now, setNow] = useState({ forward: planned(manifest.forward), reverse: planned(manifest.reverse) });
  const [wanted, setWanted] = useState(now);
  const [fault, setFault] = useState<unknown>(null);
  const [sending, setSending] = useState(false);
  const link = wanted[direction];
  const order = orderOf(direction, now[direction], link);
  const isTrace = manifest[direction].capacity.kind === 'trace';
  const change = (part: Partial<Link>): void => setWanted({ ...wanted, [direction]: { ...link, ...part } });
  const apply = async (): Promise<void> => {
    if (order === null) return;
    setSending(true);
    setFault(null);
    try {
      await changeLink(id, order);
      setNow({ ...now, [direction]: link });
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
          min={0.01}
          max={100_000}
        />
        <NumberField
          label="Delay, one way"
          value={link.delay_ms}
          onChange={(delay_ms) => change({ delay_ms })}
          unit="ms"
          min={0}
          max={10_000}
        />
        <NumberField
          label="Random loss"
          value={link.loss * 100}
          onChange={(percent) => change({ loss: Math.round(percent * 1e6) / 1e8 })}
          unit="%"
          min={0}
          max={90}
          step={0.01}
          steppers={false}
        />
        <NumberField
          label={link.limit_bytes === null ? 'Queue limit (now none)' : 'Queue limit'}
          value={link.limit_bytes === null ? NaN : link.limit_bytes / 1000}
          onChange={(kilobytes) => change({ limit_bytes: Math.max(1500, Math.round(kilobytes * 1000)) })}
          unit="kB"
          min={1.5}
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
