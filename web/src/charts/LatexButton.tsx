// Saves a table of the page for LaTeX, as it stands there.
import { useState } from 'react';
import { Button } from '../ui/button';
import type { WrittenTable } from './save-table';

interface LatexButtonProps {
  /** Of the file, without extension; on the page of one thing its id stands before it. */
  readonly name: string;
  readonly caption: string;
  /** What is shown at the moment of asking. */
  readonly table: () => WrittenTable | Promise<WrittenTable>;
}

export function LatexButton({ name, caption, table }: LatexButtonProps) {
  const [failed, setFailed] = useState(false);
  const save = async (): Promise<void> => (await import('./save-table')).saveTable(name, caption, await table());
  return (
    <Button
      size="small"
      icon="download"
      onPress={() =>
        void save().then(
          () => setFailed(false),
          () => setFailed(true),
        )
      }
    >
      <span aria-live="polite">{failed ? 'LaTeX: it could not be saved' : 'LaTeX'}</span>
    </Button>
  );
}
