// Theme, colours of algorithms, motion.
import { useSyncExternalStore } from 'react';
import { MARKERS } from '#protocol/cca';
import { identity } from '#analysis/cca-look';
import { changePreferences, type Palette, PALETTES, usePreferences } from '../../settings/preferences';
import { type SchemeChoice, schemeChoice, useTheme } from '../../theme/theme';
import { Segmented, Select } from '../../ui/choice';
import { Section } from '../../ui/page';
import { chooseScheme, subscribeChoice } from '../frame/scheme';
import css from './settings.module.css';

const SCHEMES: readonly { readonly id: SchemeChoice; readonly label: string }[] = [
  { id: 'system', label: 'As the system' },
  { id: 'light', label: 'Light' },
  { id: 'dark', label: 'Dark' },
];
const PALETTE_LABELS: Readonly<Record<Palette, string>> = {
  standard: 'For everybody',
  'red-green': 'Red and green look alike',
  'blue-yellow': 'Blue and yellow look alike',
};
const PALETTE_HELP: Readonly<Record<Palette, string>> = {
  standard:
    'Can be told apart by people with and without a colour vision deficiency; the one of reports and of figures in other pages.',
  'red-green': 'Further apart than the standard ones in protanopia and deuteranopia; not made for tritanopia.',
  'blue-yellow': 'Further apart than the standard ones in tritanopia; not made for protanopia and deuteranopia.',
};

export function LookSettings() {
  const { palette, motion } = usePreferences();
  const scheme = useSyncExternalStore(subscribeChoice, schemeChoice);
  return (
    <Section title="Look">
      <div className={css['fields']}>
        <Segmented label="Theme" value={scheme} options={SCHEMES} onChange={chooseScheme} />
        <Select
          label="Colours of algorithms"
          value={palette}
          options={PALETTES.map((id) => ({ id, label: PALETTE_LABELS[id] }))}
          onChange={(next) => changePreferences({ palette: next })}
          effect={<Swatches />}
          help={PALETTE_HELP[palette]}
        />
        <Segmented
          label="Motion"
          value={motion}
          options={[
            { id: 'system', label: 'As the system' },
            { id: 'reduced', label: 'Always reduced' },
          ]}
          onChange={(next) => changePreferences({ motion: next })}
          help="Reduced: nothing moves by itself, and the sample of the home page waits to be played."
        />
      </div>
    </Section>
  );
}

/** Each colour with a marker of those that go with it, as figures show them. */
function Swatches() {
  const theme = useTheme();
  return (
    <span className={css['swatches']} aria-hidden="true">
      {theme.slots.map((colour, slot) => {
        const look = identity({ identity: { slot, marker: MARKERS[slot] ?? 'circle', hollow: false } }, theme);
        return (
          <svg key={slot} width="30" height="16" viewBox="-15 -8 30 16">
            <path d="M-15 0h30" stroke={colour} strokeWidth="2" />
            <path d={look.path(5)} fill={colour} />
          </svg>
        );
      })}
    </span>
  );
}
