// What a flow's application has to send: a choice, and the fields that it needs.
import { useState } from 'react';
import { FileTrigger } from 'react-aria-components';
import { lengthS, totalBytes } from '#analysis/packet-trace';
import { RATE_OF_MEAN, type SourceKind, type SourceSpec, USUAL_SOURCES } from '#protocol/source';
import { type Bounds, LIMITS } from '#protocol/limits';
import { readRecording } from '../../api/actions';
import { asApiError } from '../../api/client';
import { Button } from '../../ui/button';
import { Select } from '../../ui/choice';
import { NumberField } from '../../ui/number-field';
import { formatBytes, formatCount, formatDuration } from '../../ui/format';
import css from './new.module.css';

type Of<K extends SourceKind> = Extract<SourceSpec, { kind: K }>;

const KINDS: readonly { readonly id: SourceKind; readonly label: string }[] = [
  { id: 'bulk', label: 'endless data' },
  { id: 'rate', label: 'steady rate' },
  { id: 'on_off', label: 'on and off' },
  { id: 'transfers', label: 'transfers' },
  { id: 'frames', label: 'video frames' },
  { id: 'replay', label: 'recorded packets' },
];

const HELP: Record<SourceKind, string> = {
  bulk: 'What there is to send.',
  rate: 'As much as it makes, a packet at a time.',
  on_off: 'Writes for a while, is silent for a while.',
  transfers: 'Each has its completion time.',
  frames: 'Each is late or in time.',
  replay: 'As a capture or a CSV file has them.',
};

interface SourceFieldsProps {
  readonly source: SourceSpec;
  readonly onChange: (source: SourceSpec) => void;
}

export function SourceFields({ source, onChange }: SourceFieldsProps) {
  return (
    <>
      <Select
        label="Application"
        value={source.kind}
        options={KINDS}
        onChange={(kind) => onChange(USUAL_SOURCES[kind])}
        help={HELP[source.kind]}
      />
      <Fields source={source} onChange={onChange} />
    </>
  );
}

function Fields({ source, onChange }: SourceFieldsProps) {
  switch (source.kind) {
    case 'bulk':
      return null;
    case 'rate':
      return <RateFields source={source} onChange={onChange} />;
    case 'on_off':
      return <OnOffFields source={source} onChange={onChange} />;
    case 'transfers':
      return <TransferFields source={source} onChange={onChange} />;
    case 'frames':
      return <FrameFields source={source} onChange={onChange} />;
    case 'replay':
      return <ReplayFields source={source} onChange={onChange} />;
  }
}

interface Part<K extends SourceKind> {
  readonly source: Of<K>;
  readonly onChange: (source: SourceSpec) => void;
}

interface RateProps {
  readonly label: string;
  readonly value: number;
  readonly onChange: (value: number) => void;
  readonly max?: number;
  readonly help?: string;
}

const Rate = ({ max = LIMITS.rate_mbps.max, ...props }: RateProps) => (
  <NumberField {...props} unit="Mbps" min={LIMITS.rate_mbps.min} max={max} steppers={false} />
);

interface SecondsProps {
  readonly label: string;
  readonly value: number;
  readonly onChange: (value: number) => void;
  readonly bounds?: Bounds;
  readonly help?: string;
}

const Seconds = ({ bounds = LIMITS.spell_s, ...props }: SecondsProps) => (
  <NumberField {...props} {...bounds} unit="s" steppers={false} />
);

function RateFields({ source, onChange }: Part<'rate'>) {
  const { rate_mbps, rate_of_mean, ...rest } = source;
  const { catch_up: _, ...patient } = source;
  return (
    <>
      <Select
        label="Its rate is"
        value={rate_of_mean === undefined ? 'mbps' : 'mean'}
        options={[
          { id: 'mbps', label: 'a number' },
          { id: 'mean', label: 'of the trace’s mean' },
        ]}
        onChange={(as) => onChange(as === 'mean' ? { ...rest, rate_of_mean: 0.8 } : { ...rest, rate_mbps: 10 })}
      />
      {rate_of_mean === undefined ? (
        <Rate
          label="Source rate"
          value={rate_mbps ?? 0}
          onChange={(next) => onChange({ ...source, rate_mbps: next })}
          help="Of packets on the wire. Where the link is faster, the application is the limit."
        />
      ) : (
        <NumberField
          label="Source rate"
          unit="× mean"
          {...RATE_OF_MEAN}
          steppers={false}
          value={rate_of_mean}
          onChange={(next) => onChange({ ...source, rate_of_mean: next })}
          help="Of the mean capacity that 1 BDP is of."
        />
      )}
      <Select
        label="What it misses"
        value={source.catch_up === false ? 'dropped' : 'later'}
        options={[
          { id: 'later', label: 'is sent later' },
          { id: 'dropped', label: 'is dropped' },
        ]}
        onChange={(missed) => onChange(missed === 'dropped' ? { ...source, catch_up: false } : patient)}
        help="Packets whose time came while the flow could not take them."
      />
    </>
  );
}

function OnOffFields({ source, onChange }: Part<'on_off'>) {
  const { rate_mbps, rate_of_mean, ...greedy } = source;
  return (
    <>
      <Seconds label="On" value={source.on_s} onChange={(on_s) => onChange({ ...source, on_s })} />
      <Seconds label="Off" value={source.off_s} onChange={(off_s) => onChange({ ...source, off_s })} />
      <Select
        label="Lengths"
        value={source.durations}
        options={[
          { id: 'fixed', label: 'always these' },
          { id: 'exponential', label: 'drawn, these are the means' },
        ]}
        onChange={(durations) => onChange({ ...source, durations })}
        {...(source.durations === 'fixed' ? {} : { help: 'From an exponential distribution, by the run’s seed.' })}
      />
      <Select
        label="While on"
        value={rate_of_mean !== undefined ? 'mean' : rate_mbps === undefined ? 'all' : 'rate'}
        options={[
          { id: 'all', label: 'as much as goes' },
          { id: 'rate', label: 'at a rate' },
          { id: 'mean', label: 'at a share of the trace’s mean' },
        ]}
        onChange={(choice) => onChange({ ...greedy, ...FIRST_RATE[choice] })}
      />
      {rate_of_mean === undefined ? null : (
        <NumberField
          label="Rate while on"
          unit="× mean"
          {...RATE_OF_MEAN}
          steppers={false}
          value={rate_of_mean}
          onChange={(next) => onChange({ ...source, rate_of_mean: next })}
        />
      )}
      {rate_mbps === undefined ? null : (
        <Rate label="Rate while on" value={rate_mbps} onChange={(next) => onChange({ ...source, rate_mbps: next })} />
      )}
    </>
  );
}

const FIRST_RATE = { all: {}, rate: { rate_mbps: 10 }, mean: { rate_of_mean: 0.8 } };

const BYTES_PER_KB = 1000;
const FIRST_SHAPE = { pareto: 1.5, lognormal: 1 };

function TransferFields({ source, onChange }: Part<'transfers'>) {
  const { shape, count, ...rest } = source;
  const counted = count === undefined ? {} : { count };
  const shaped = source.sizes === 'pareto' || source.sizes === 'lognormal';
  return (
    <>
      <NumberField
        label={source.sizes === 'fixed' ? 'Size' : 'Mean size'}
        unit="kB"
        min={0.1}
        max={LIMITS.message_bytes.max / BYTES_PER_KB}
        steppers={false}
        value={source.bytes / BYTES_PER_KB}
        onChange={(kb) => onChange({ ...source, bytes: Math.round(kb * BYTES_PER_KB) })}
        help="Of packets on the wire."
      />
      <Select
        label="Sizes"
        value={source.sizes}
        options={[
          { id: 'fixed', label: 'all alike' },
          { id: 'exponential', label: 'exponential' },
          { id: 'pareto', label: 'Pareto (heavy tail)' },
          { id: 'lognormal', label: 'log-normal' },
        ]}
        onChange={(sizes) =>
          onChange({
            ...rest,
            ...counted,
            sizes,
            ...(sizes === 'pareto' || sizes === 'lognormal' ? { shape: FIRST_SHAPE[sizes] } : {}),
          })
        }
      />
      {shaped ? (
        <NumberField
          label="Shape"
          {...(source.sizes === 'pareto' ? LIMITS.pareto_shape : LIMITS.lognormal_shape)}
          steppers={false}
          value={shape ?? 1}
          onChange={(next) => onChange({ ...source, shape: next })}
          help={
            source.sizes === 'pareto'
              ? 'Exponent: the nearer to 1, the heavier the tail.'
              : 'Deviation of the logarithm.'
          }
        />
      ) : null}
      <Select
        label="Each begins"
        value={source.arrivals}
        options={[
          { id: 'after', label: 'after the last one' },
          { id: 'every', label: 'at an interval' },
          { id: 'poisson', label: 'at random (Poisson)' },
        ]}
        onChange={(arrivals) =>
          onChange({
            ...source,
            arrivals,
            interval_s: arrivals === 'after' ? source.interval_s : Math.max(source.interval_s, LIMITS.arrival_s.min),
          })
        }
      />
      <Seconds
        label={source.arrivals === 'after' ? 'Pause' : source.arrivals === 'every' ? 'Interval' : 'Mean interval'}
        bounds={source.arrivals === 'after' ? LIMITS.interval_s : LIMITS.arrival_s}
        value={source.interval_s}
        onChange={(interval_s) => onChange({ ...source, interval_s })}
      />
      <NumberField
        label="How many"
        min={0}
        max={LIMITS.messages.max}
        step={1}
        steppers={false}
        value={count ?? 0}
        onChange={(next) =>
          onChange({ ...rest, ...(shape === undefined ? {} : { shape }), ...(next === 0 ? {} : { count: next }) })
        }
        help="0: as many as fit into the run."
      />
    </>
  );
}

const LEAST_SHARE = 0.1;

function FrameFields({ source, onChange }: Part<'frames'>) {
  const { least_rate_mbps, ...fixed } = source;
  return (
    <>
      <NumberField
        label="Frame rate"
        unit="fps"
        {...LIMITS.fps}
        steppers={false}
        value={source.fps}
        onChange={(fps) => onChange({ ...source, fps })}
      />
      <Rate
        label={least_rate_mbps === undefined ? 'Bit rate' : 'Highest bit rate'}
        value={source.rate_mbps}
        onChange={(rate_mbps) =>
          onChange({
            ...source,
            rate_mbps,
            ...(least_rate_mbps === undefined ? {} : { least_rate_mbps: Math.min(least_rate_mbps, rate_mbps) }),
          })
        }
      />
      <NumberField
        label="Key frame every"
        unit="frames"
        {...LIMITS.key_every}
        step={1}
        steppers={false}
        value={source.key_every}
        onChange={(key_every) => onChange({ ...source, key_every })}
      />
      <NumberField
        label="Key frame’s size"
        unit="× others"
        {...LIMITS.key_ratio}
        steppers={false}
        value={source.key_ratio}
        onChange={(key_ratio) => onChange({ ...source, key_ratio })}
        help="The mean bit rate stays."
      />
      <NumberField
        label="Deadline"
        unit="ms"
        {...LIMITS.deadline_ms}
        steppers={false}
        value={source.deadline_ms}
        onChange={(deadline_ms) => onChange({ ...source, deadline_ms })}
        help="To a frame’s last byte at the receiver."
      />
      <Select
        label="Encoder"
        value={least_rate_mbps === undefined ? 'fixed' : 'adapts'}
        options={[
          { id: 'fixed', label: 'at this bit rate' },
          { id: 'adapts', label: 'follows the algorithm’s rate' },
        ]}
        onChange={(choice) =>
          onChange(choice === 'fixed' ? fixed : { ...source, least_rate_mbps: source.rate_mbps * LEAST_SHARE })
        }
        help="Each frame as large as the algorithm’s rate at that moment allows."
      />
      {least_rate_mbps === undefined ? null : (
        <Rate
          label="Lowest bit rate"
          max={source.rate_mbps}
          value={least_rate_mbps}
          onChange={(next) => onChange({ ...source, least_rate_mbps: next })}
        />
      )}
    </>
  );
}

function ReplayFields({ source, onChange }: Part<'replay'>) {
  const [fault, setFault] = useState<string | null>(null);
  const [reading, setReading] = useState(false);
  const take = async (files: FileList | null): Promise<void> => {
    const file = files?.[0];
    if (file === undefined) return;
    setReading(true);
    try {
      onChange(await readRecording(file));
      setFault(null);
    } catch (error) {
      setFault(`${file.name}: ${asApiError(error).message}`);
    } finally {
      setReading(false);
    }
  };
  return (
    <div className={css['recording']}>
      <div>
        {source.name ?? 'Recorded packets'}: {formatCount(source.bytes.length)} packets,{' '}
        {formatBytes(totalBytes(source))} in {formatDuration(lengthS(source))}
      </div>
      <FileTrigger
        acceptedFileTypes={['.csv', '.pcap', '.pcapng', '.txt', '.gz', '.zst']}
        onSelect={(files) => void take(files)}
      >
        <Button size="small" isDisabled={reading}>
          {reading ? 'Reading …' : 'Choose a file …'}
        </Button>
      </FileTrigger>
      <div className={css['help']}>CSV with the columns time_s and bytes, pcap or pcapng, also gzip or zstd.</div>
      {fault === null ? null : (
        <div className={css['fault']} role="alert">
          {fault}
        </div>
      )}
    </div>
  );
}
