// What somebody wants to know: a click fills the form.
import type { ExperimentKind } from '#protocol/experiment-kind';
import { Chip, Chips } from './Chip';
import css from './kinds.module.css';

interface KindChooserProps {
  readonly kinds: readonly ExperimentKind[];
  /** null: nobody has chosen one. */
  readonly chosen: ExperimentKind | null;
  readonly onChoose: (kind: ExperimentKind | null) => void;
}

export const KindChooser = ({ kinds, chosen, onChoose }: KindChooserProps) => (
  <section className={css['kinds']} aria-label="What do you want to know?">
    <h2>What do you want to know?</h2>
    <Chips label="Questions">
      {kinds.map((kind) => (
        <Chip
          key={kind.id}
          label={kind.title}
          isOn={kind.id === chosen?.id}
          onChange={(on) => onChoose(on ? kind : null)}
        />
      ))}
    </Chips>
    <p aria-live="polite">
      {chosen === null ? (
        'A question fills the form below and keeps the traces and algorithms that are chosen; everything in it can be changed.'
      ) : (
        <>
          <b>{chosen.question}</b> {chosen.answer.text}
        </>
      )}
    </p>
  </section>
);
