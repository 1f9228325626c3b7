// The spec of an experiment, and the command that runs it without the page.
import type { ExperimentRecord } from '#protocol/api';
import { CopyButton } from '../../ui/copy-button';
import { Dialog } from '../../ui/overlay';
import { shortSpec } from '../new/draft';
import css from './experiment.module.css';

export function SpecDialog({ record, onClose }: { readonly record: ExperimentRecord; readonly onClose: () => void }) {
  const text = JSON.stringify(shortSpec(record.spec), null, 2);
  const command = `cat > spec.json <<'EOF'\n${text}\nEOF\nnpx paceline run spec.json --out results\n`;
  return (
    <Dialog title="Spec" open onClose={onClose} wide>
      {/* The region scrolls, so it must be reachable by keyboard. */}
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <pre className={css['mono']} tabIndex={0} aria-label="Spec as JSON">
        {text}
      </pre>
      <div className={css['foot']}>
        <CopyButton text={() => text}>Copy</CopyButton>
        <CopyButton text={() => command}>Copy CLI command</CopyButton>
      </div>
    </Dialog>
  );
}
