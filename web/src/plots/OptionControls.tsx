// The controls of a figure's options, made from their schema: a choice becomes a select, a yes-or-no a toggle.
import { controlsOf, type OptionsSchema } from './options';
import styles from './plots.module.css';

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
  return (
    <div className={styles['controls']}>
      {controlsOf(schema).map(({ key, title, choices, labels }) => {
        if (hide.includes(key)) return null;
        if (choices === null)
          return (
            <button
              key={key}
              type="button"
              className={styles['toggle']}
              aria-pressed={options[key] === true}
              onClick={() => setOptions({ [key]: options[key] !== true })}
            >
              {title}
            </button>
          );
        return (
          <label key={key} className={styles['choice']}>
            <span>{title}</span>
            <select value={String(options[key])} onChange={(event) => setOptions({ [key]: event.target.value })}>
              {choices.map((value) => (
                <option key={value} value={value}>
                  {labels[value] ?? WORDS[value] ?? value}
                </option>
              ))}
            </select>
          </label>
        );
      })}
    </div>
  );
}
