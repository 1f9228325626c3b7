// The spec as JSON, in step with the form: what is valid goes to the form at once, what is not is named at its path.
import { useState } from 'react';
import { CopyButton } from '../../ui/copy-button';
import { Dialog } from '../../ui/overlay';
import { readJson, sameJson, writeJson, type Draft, type Fault } from './draft';
import css from './new.module.css';

interface SpecEditorProps {
  readonly draft: Draft;
  readonly name: string;
  readonly onDraft: (draft: Draft) => void;
  /** What the server has against the spec as it stands. */
  readonly refused: readonly Fault[];
  readonly onClose: () => void;
}

export function SpecEditor({ draft, name, onDraft, refused, onClose }: SpecEditorProps) {
  const [text, setText] = useState(() => writeJson(draft, name));
  const read = readJson(text);
  const faults = 'faults' in read ? read.faults : refused;
  return (
    <Dialog
      title="Experiment as JSON"
      open
      onClose={onClose}
      wide
      foot={<CopyButton text={() => text}>Copy</CopyButton>}
    >
      <p className={css['about']}>
        The same as the form, and what <code>npx paceline run SPEC.json</code> reads. Fields that are not written have
        their defaults.
      </p>
      <textarea
        className={css['editor']}
        aria-label="Experiment as JSON"
        aria-invalid={faults.length > 0}
        spellCheck={false}
        value={text}
        onChange={(event) => {
          const next = event.target.value;
          setText(next);
          const parsed = readJson(next);
          if ('draft' in parsed && !sameJson(parsed.draft, draft)) onDraft(parsed.draft);
        }}
      />
      <ul className={css['faults']} aria-live="polite">
        {faults.map((fault) => (
          <li key={fault.where + fault.detail}>
            {fault.where === '' ? null : <code>{fault.where}</code>}
            {fault.detail}
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
