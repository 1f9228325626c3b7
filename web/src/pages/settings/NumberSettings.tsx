// How numbers are written.
import { changePreferences, usePreferences } from '../../settings/preferences';
import { Segmented } from '../../ui/choice';
import { formatCount, formatDelay, formatRate } from '../../ui/format';
import { Section } from '../../ui/page';
import css from './settings.module.css';

export function NumberSettings() {
  const { decimal, groups, rates } = usePreferences();
  const mark = decimal === 'point' ? ',' : '.';
  return (
    <Section
      title="Numbers"
      note="As they are read on the page. What is typed into forms and queries, and files that are saved, stay with a point and in Mbps."
    >
      <div className={css['fields']}>
        <Segmented
          label="Decimal mark"
          value={decimal}
          options={[
            { id: 'point', label: 'Point: 23.1' },
            { id: 'comma', label: 'Comma: 23,1' },
          ]}
          onChange={(next) => changePreferences({ decimal: next })}
        />
        <Segmented
          label="Thousands"
          value={groups}
          options={[
            { id: 'space', label: 'Thin space' },
            { id: 'mark', label: decimal === 'point' ? 'Comma' : 'Point' },
            { id: 'none', label: 'None' },
          ]}
          onChange={(next) => changePreferences({ groups: next })}
          {...(groups === 'mark' && { help: `The ${mark} is between thousands, not before decimals.` })}
        />
        <Segmented
          label="Rates"
          value={rates}
          options={[
            { id: 'bits', label: 'Mbps' },
            { id: 'bytes', label: 'MB/s' },
          ]}
          onChange={(next) => changePreferences({ rates: next })}
          help="1 MB/s is 8 Mbps. Where a heading or a definition names Mbps, its numbers are Mbps."
        />
        <p className={css['example']} aria-live="polite">
          <span>For example</span>
          <output>
            {formatRate(184.4)} · {formatDelay(23.06)} · {formatCount(1_048_576)} packets
          </output>
        </p>
      </div>
    </Section>
  );
}
