// The network of a learned algorithm: one that was uploaded before, or a file.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { FileTrigger } from 'react-aria-components';
import type { ParamDescriptor } from '#protocol/cca';
import type { WeightsRecord } from '#protocol/weights';
import { deleteWeights, restoreWeights } from '../../api/labels';
import { addWeights, weightsQuery } from '../../api/weights';
import { Button } from '../../ui/button';
import { Select } from '../../ui/choice';
import { formatCount } from '../../ui/format';
import { ProblemNotice } from '../../ui/notice';
import { showToast } from '../../ui/toasts';
import css from './new.module.css';

interface WeightsFieldProps {
  readonly param: ParamDescriptor;
  /** Content hash; empty: none. */
  readonly value: string;
  readonly onChange: (value: string) => void;
}

const described = ({ info, id }: WeightsRecord): string =>
  `${info.name} (${formatCount(info.numbers)} weights, ${id.slice(0, 8)})`;

export function WeightsField({ param, value, onChange }: WeightsFieldProps) {
  const queries = useQueryClient();
  const { data = [], error } = useQuery(weightsQuery);
  const [fault, setFault] = useState<Error | null>(null);
  const fitting = data.filter(({ info }) => info.algorithm === param.algorithm);
  const chosen = fitting.find(({ id }) => id === value);
  const unknown = value !== '' && !fitting.some(({ id }) => id === value);
  const upload = (file: File | undefined): void => {
    if (file === undefined) return;
    setFault(null);
    addWeights(queries, file).then((record) => {
      if (record.info.algorithm === param.algorithm) onChange(record.id);
      else
        setFault(new Error(`${record.info.name} is for ${record.info.algorithm}, not for ${param.algorithm ?? ''}.`));
    }, setFault);
  };
  const problem = fault ?? error;
  return (
    <div className={css['weights']}>
      <Select
        label={param.label}
        help={param.help}
        value={value}
        options={[
          { id: '', label: 'none' },
          ...fitting.map((record) => ({ id: record.id, label: described(record) })),
          ...(unknown ? [{ id: value, label: `not here: ${value.slice(0, 8)}` }] : []),
        ]}
        onChange={onChange}
      />
      <FileTrigger acceptedFileTypes={['.json']} onSelect={(files) => upload(files?.[0])}>
        <Button icon="upload">Upload a file</Button>
      </FileTrigger>
      {chosen === undefined ? null : (
        <Button
          icon="trash"
          kind="quiet"
          onPress={() =>
            void deleteWeights(queries, chosen.id).then(() => {
              onChange('');
              showToast({
                text: `“${chosen.info.name}” deleted.`,
                undo: () => restoreWeights(queries, chosen.id).then(() => onChange(chosen.id)),
              });
            }, setFault)
          }
        >
          Delete this file
        </Button>
      )}
      {problem === null ? null : <ProblemNotice error={problem} />}
    </div>
  );
}
