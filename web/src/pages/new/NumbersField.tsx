// One or several numbers in one field: `20, 50`. Each value makes cells of its own.
import { useState, type ReactNode } from 'react';
import { TextField } from '../../ui/text-field';
import { sameJson, readNumbers } from './draft';

interface NumbersFieldProps {
  readonly label: string;
  readonly help: ReactNode;
  readonly effect?: ReactNode;
  readonly values: readonly number[];
  readonly min: number;
  readonly max: number;
  readonly onChange: (values: number[]) => void;
}

export function NumbersField({ label, help, effect, values, min, max, onChange }: NumbersFieldProps) {
  const written = values.join(', ');
  const [text, setText] = useState(written);
  const read = readNumbers(text, min, max);
  // The values changed elsewhere (the JSON editor): show them, unless the text says the same already.
  const [seen, setSeen] = useState(written);
  if (seen !== written) {
    setSeen(written);
    if (read === null || !sameJson(read, values)) setText(written);
  }
  return (
    <TextField
      label={label}
      help={help}
      effect={effect}
      value={text}
      error={read === null ? `Numbers from ${min} to ${max}, separated by commas.` : undefined}
      onChange={(next) => {
        setText(next);
        const numbers = readNumbers(next, min, max);
        if (numbers !== null) onChange(numbers);
      }}
    />
  );
}
