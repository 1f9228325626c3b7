// One queue limit as a number and a unit.
import { BufferSpec } from '#protocol/spec';
import { Select } from '../../ui/choice';
import { NumberField } from '../../ui/number-field';
import css from './new.module.css';

export const UNITS = [
  { id: 'bdp', label: 'BDP' },
  { id: 'bdp_link', label: 'BDP, link delay' },
  { id: 'packets', label: 'packets' },
  { id: 'bytes', label: 'bytes' },
  { id: 'ms', label: 'ms' },
] as const;
export type Unit = (typeof UNITS)[number]['id'];

export const INFINITE = 'infinite';
/** What a unit begins with when it is chosen. */
const FIRST: Readonly<Record<Unit, number>> = { bdp: 1, bdp_link: 1, packets: 100, bytes: 150_000, ms: 100 };

/** What may turn out to be no limit: `BufferSpec` says. */
export const limitIn = (unit: Unit, size: number): BufferSpec =>
  (unit === 'bdp_link' ? { bdp: size, delay: 'link' } : { [unit]: size }) as BufferSpec;

export const unitOf = (limit: BufferSpec): Unit | typeof INFINITE =>
  'bdp' in limit && limit.delay === 'link' ? 'bdp_link' : (Object.keys(limit)[0] as Unit | typeof INFINITE);

/** A limit to begin with in a unit. */
export const limitOf = (unit: Unit | typeof INFINITE): BufferSpec =>
  unit === INFINITE ? { infinite: true } : limitIn(unit, FIRST[unit]);

interface LimitFieldsProps {
  readonly value: BufferSpec;
  readonly onChange: (value: BufferSpec) => void;
}

/** Any limit, or none. What is not a limit is marked, and `BufferSpec` refuses it. */
export function LimitFields({ value, onChange }: LimitFieldsProps) {
  const unit = unitOf(value);
  const [size] = Object.values(value) as (number | boolean)[];
  const parsed = BufferSpec.safeParse(value);
  return (
    <div className={css['pair']}>
      <Select
        label="Queue limit in"
        value={unit}
        options={[...UNITS, { id: INFINITE, label: 'infinite' }]}
        onChange={(next) => onChange(limitOf(next))}
        help="BDP and ms are of this bottleneck’s own mean capacity and the base RTT."
      />
      {unit === INFINITE ? null : (
        <NumberField
          label="Queue limit"
          value={Number(size)}
          onChange={(amount) => onChange(limitIn(unit, amount))}
          min={0}
          steppers={false}
          error={parsed.success ? undefined : parsed.error.issues[0]?.message}
        />
      )}
    </div>
  );
}
