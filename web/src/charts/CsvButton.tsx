// Saves a table of the page as CSV, its numbers in full.
import { useState } from 'react';
import { Button } from '../ui/button';
import type { Table } from './types';

interface CsvButtonProps {
  /** Of the file, without extension; on the page of one thing its id stands before it. */
  readonly name: string;
  readonly table: () => Table;
}

export function CsvButton({ name, table }: CsvButtonProps) {
  const [failed, setFailed] = useState(false);
  const save = async (): Promise<void> => (await import('./save-table')).saveCsv(name, table());
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
      <span aria-live="polite">{failed ? 'CSV: it could not be saved' : 'CSV'}</span>
    </Button>
  );
}
