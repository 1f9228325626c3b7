// One queue limit as a number and a unit.
import { BufferSpec } from '#protocol/spec';
import { NumberField, Select } from '../../ui/fields';
import css from './new.module.css';

export const UNITS = [
  { id: 'bdp', label: 'BDP' },
  { id: 'packets', label: 'packets' },
  { id: 'bytes', label: 'bytes' },
  { id: 'ms', label: 'ms' },
] as const;
export type Unit = (typeof UNITS)[number]['id'];

const INFINITE = 'infinite';
/** What a unit begins with when it is chosen. */
const FIRST: Readonly<Record<Unit, number>> = { bdp: 1, packets: 100, bytes: 150_000, ms: 100 };

interface LimitFieldsProps {
  readonly value: BufferSpec;
  readonly onChange: (value: BufferSpec) => void;
}

/** Any limit, or none. What is not a limit is marked, and `BufferSpec` refuses it. */
export function LimitFields({ value, onChange }: LimitFieldsProps) {
  const [unit = INFINITE, size = 0] = Object.entries(value)[0] ?? [];
  const parsed = BufferSpec.safeParse(value);
  const of = (next: string, amount: number): BufferSpec =>
    next === INFINITE ? { infinite: true } : ({ [next]: amount } as BufferSpec);
  return (
    <div className={css['pair']}>
      <Select
        label="Queue limit in"
        value={unit}
        options={[...UNITS, { id: INFINITE, label: 'infinite' }]}
        onChange={(next) => onChange(of(next, FIRST[next as Unit]))}
        help="BDP and ms are of this bottleneck’s own mean capacity and the base RTT."
      />
      {unit === INFINITE ? null : (
        <NumberField
          label="Queue limit"
          value={Number(size)}
          onChange={(amount) => onChange(of(unit, amount))}
          min={0}
          steppers={false}
          error={parsed.success ? undefined : parsed.error.issues[0]?.message}
        />
      )}
    </div>
  );
}
