// The controls of a figure's options, made from their schema: a choice becomes a select, a yes-or-no a toggle.
import { z } from 'zod';
import type { OptionsSchema } from './options';
import styles from './plots.module.css';

interface Property {
  readonly title?: string;
  readonly enum?: readonly string[];
  readonly type?: string;
  /** Words for the choices, when their ids are not words. */
  readonly labels?: Readonly<Record<string, string>>;
}

/** Words for choices that many figures have. */
const WORDS: Readonly<Record<string, string>> = { auto: 'auto', linear: 'linear', log: 'log' };

export interface OptionControlsProps {
  readonly schema: OptionsSchema;
  readonly options: Readonly<Record<string, unknown>>;
  readonly setOptions: (change: Record<string, unknown>) => void;
  /** Options that mean nothing at the moment. */
  readonly hide?: readonly string[];
}

export function OptionControls({ schema, options, setOptions, hide = [] }: OptionControlsProps) {
  const properties = z.toJSONSchema(schema, { io: 'input' }).properties as
    Readonly<Record<string, Property>> | undefined;
  return (
    <div className={styles['controls']}>
      {Object.entries(properties ?? {}).map(([key, property]) => {
        if (hide.includes(key) || property.title === undefined) return null;
        if (property.type === 'boolean')
          return (
            <button
              key={key}
              type="button"
              className={styles['toggle']}
              aria-pressed={options[key] === true}
              onClick={() => setOptions({ [key]: options[key] !== true })}
            >
              {property.title}
            </button>
          );
        if (property.enum === undefined) return null;
        return (
          <label key={key} className={styles['choice']}>
            <span>{property.title}</span>
            <select value={String(options[key])} onChange={(event) => setOptions({ [key]: event.target.value })}>
              {property.enum.map((value) => (
                <option key={value} value={value}>
                  {property.labels?.[value] ?? WORDS[value] ?? value}
                </option>
              ))}
            </select>
          </label>
        );
      })}
    </div>
  );
}
