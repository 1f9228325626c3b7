// Delays that were measured: from a file or pasted.
import { useId, useMemo, useState } from 'react';
import { FileTrigger } from 'react-aria-components';
import {
  delaysOver,
  delaysSummary,
  LARGEST_DELAYS_FILE,
  readDelays,
  USUAL_INTERVAL_MS,
  writeDelays,
} from '#analysis/recorded-delays';
import { LIMITS } from '#protocol/limits';
import type { RecordedDelays } from '#protocol/recorded-delays';
import { Button } from '../../ui/button';
import { NumberField } from '../../ui/number-field';
import { formatBytes, formatChosen, formatDuration, plural } from '../../ui/format';
import { Spark } from '../../ui/spark';
import css from './new.module.css';

interface RecordedFieldProps {
  readonly initial: RecordedDelays | undefined;
  /** undefined: what is written is not a list of delays. */
  readonly onChange: (recorded: RecordedDelays | undefined) => void;
}

interface Written {
  readonly text: string;
  readonly name?: string | undefined;
  readonly intervalMs: number;
}

export function RecordedField({ initial, onChange }: RecordedFieldProps) {
  const [written, setWritten] = useState<Written>(() => ({
    text: initial === undefined ? '' : writeDelays(initial),
    name: initial?.name,
    intervalMs: USUAL_INTERVAL_MS,
  }));
  const [refused, setRefused] = useState<string | null>(null);
  const id = useId();
  const read = useMemo(() => readWritten(written), [written]);
  const take = (next: Written): void => {
    setWritten(next);
    setRefused(null);
    const found = readWritten(next);
    onChange(found.ok ? found.recorded : undefined);
  };
  const open = async (file: File | undefined): Promise<void> => {
    if (file === undefined) return;
    if (file.size > LARGEST_DELAYS_FILE)
      setRefused(`${file.name} has ${formatBytes(file.size)}; the most is ${formatBytes(LARGEST_DELAYS_FILE)}`);
    else
      try {
        take({ ...written, text: await file.text(), name: file.name });
      } catch (error) {
        setRefused(`${file.name}: ${error instanceof Error ? error.message : 'it cannot be read'}`);
      }
  };
  const fault = refused ?? (read.ok || written.text.trim() === '' ? null : inFile(written.name, read.fault));
  return (
    <div className={css['recording']}>
      <label className={css['fieldName']} htmlFor={id}>
        Recorded delays
      </label>
      <textarea
        id={id}
        className={css['delays']}
        aria-describedby={`${id}-help`}
        aria-invalid={fault !== null}
        spellCheck={false}
        rows={6}
        placeholder={'0,12.5\n100,13.1\n200,40'}
        value={written.text}
        onChange={({ target }) => take({ ...written, text: target.value, name: undefined })}
      />
      <div className={css['help']} id={`${id}-help`}>
        One way, in ms. A time and a delay a line; or delays alone, evenly apart. Each holds until the next; at the end
        they begin anew.
      </div>
      <FileTrigger
        acceptedFileTypes={['.csv', '.txt', '.tsv', '.dat', '.log']}
        onSelect={(files) => void open(files?.[0])}
      >
        <Button size="small">Choose a file …</Button>
      </FileTrigger>
      {read.ok && read.timed ? null : (
        <NumberField
          label="Delays are apart"
          unit="ms"
          min={0.001}
          max={LIMITS.recorded_ms.max}
          steppers={false}
          value={written.intervalMs}
          onChange={(intervalMs) => take({ ...written, intervalMs })}
        />
      )}
      {read.ok && fault === null ? <Shape recorded={read.recorded} /> : null}
      {fault === null ? null : (
        <div className={css['fault']} role="alert">
          {fault}
        </div>
      )}
    </div>
  );
}

const readWritten = ({ text, name, intervalMs }: Written) =>
  readDelays(text, { ...(name === undefined ? {} : { name }), intervalMs });

const inFile = (name: string | undefined, fault: string): string => (name === undefined ? fault : `${name}: ${fault}`);

const POINTS = 100;

function Shape({ recorded }: { readonly recorded: RecordedDelays }) {
  const { count, least_ms, most_ms, period_ms } = delaysSummary(recorded);
  return (
    <div className={css['shape']}>
      <Spark values={delaysOver(recorded, POINTS)} />
      <div>
        {recorded.name === undefined ? '' : `${recorded.name}: `}
        {plural(count, 'delay')}, {formatChosen(least_ms)} to {formatChosen(most_ms)} ms
        {period_ms === null ? '' : `, anew after ${formatDuration(period_ms / 1e3)}`}
      </div>
    </div>
  );
}
