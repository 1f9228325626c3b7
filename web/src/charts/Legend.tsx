// Who is who in a figure. Pointing at an entry greys the others, a click hides it, Alt + click shows it alone.
import type { LegendItem } from './figure-props';
import { GLYPH_HEIGHT, GLYPH_WIDTH, glyphMarkup } from './glyph';
import { useVisibility, type Visibility } from './visibility';
import styles from './figure.module.css';

export interface LegendProps {
  readonly items: readonly LegendItem[];
  readonly visibility: Visibility;
}

export function Legend({ items, visibility }: LegendProps) {
  const { hidden } = useVisibility(visibility);
  const keys = items.filter((item) => item.fixed !== true).map((item) => item.key);
  return (
    <ul className={styles['legend']} aria-label="Legend">
      {items.map((item) => (
        <li key={item.key}>
          {item.fixed === true ? (
            <span className={styles['entry']}>
              <Glyph item={item} />
              {item.label}
            </span>
          ) : (
            <button
              type="button"
              className={styles['entry']}
              aria-pressed={!hidden.has(item.key)}
              title="Click: hide or show. Alt + click: show alone."
              onClick={(event) => (event.altKey ? visibility.solo(item.key, keys) : visibility.toggle(item.key))}
              onPointerEnter={() => visibility.highlight(item.key)}
              onPointerLeave={() => visibility.highlight(null)}
              onFocus={(event) => event.target.matches(':focus-visible') && visibility.highlight(item.key)}
              onBlur={() => visibility.highlight(null)}
            >
              <Glyph item={item} />
              {item.label}
            </button>
          )}
        </li>
      ))}
    </ul>
  );
}

const Glyph = ({ item }: { readonly item: LegendItem }) => (
  <svg
    width={GLYPH_WIDTH}
    height={GLYPH_HEIGHT}
    aria-hidden="true"
    // Built from our own paths and theme colours only; the same markup goes into exported figures.
    dangerouslySetInnerHTML={{ __html: glyphMarkup(item) }}
  />
);
