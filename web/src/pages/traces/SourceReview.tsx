// A file that must be turned into a trace: what it was taken for, what a person can say about it, and what would become of it.
import { useQueryClient } from '@tanstack/react-query';
import type { TraceSourceRecord } from '#protocol/api';
import type { SourceOption, TraceSource } from '#protocol/trace';
import { Button } from '../../ui/button';
import { Select } from '../../ui/choice';
import { TextField } from '../../ui/text-field';
import { formatDuration, formatRate } from '../../ui/format';
import { WideTable } from '../../ui/scroll';
import { Spark } from '../../ui/spark';
import { SourceProblem } from './SourceProblem';
import { addTrace, chooseSource, dismissUpload, type UploadItem } from './uploads';
import page from '../../ui/page.module.css';
import css from './upload.module.css';

export function SourceReview({ item, source }: { readonly item: UploadItem; readonly source: TraceSourceRecord }) {
  const queries = useQueryClient();
  const understood = source.info?.source ?? source.problem?.source;
  const format = item.choices.format ?? understood?.format ?? '';
  return (
    <section className={css['review']} aria-label={`What ${item.name} is`}>
      <h3>{item.name}</h3>
      <div className={css['options']}>
        <Select
          label="Read as"
          value={format}
          options={source.formats}
          onChange={(next) => void chooseSource(item.id, { format: next, options: {} })}
        />
        {(understood?.options ?? []).map((option) => (
          <OptionField
            key={option.name}
            option={option}
            onChange={(value) =>
              void chooseSource(item.id, {
                ...item.choices,
                options: { ...item.choices.options, [option.name]: value },
              })
            }
          />
        ))}
      </div>
      {understood === undefined || understood.columns.length === 0 ? null : <Columns columns={understood.columns} />}
      {source.problem === null ? null : <SourceProblem name={item.name} problem={source.problem} />}
      {source.info === null || source.preview === null ? null : (
        <>
          <Spark values={source.preview.mean_mbps} height={64} />
          <p className={css['becomes']}>
            Becomes a trace of {formatDuration(source.info.period_ms / 1000)} with {formatRate(source.info.mean_mbps)}{' '}
            on average, {formatRate(source.info.peak_1s_mbps)} in its best second.
          </p>
          <ul className={css['notes']}>
            {[...(understood?.notes ?? []), ...source.info.warnings].map((note) => (
              <li key={note}>{note}</li>
            ))}
          </ul>
        </>
      )}
      <div className={css['actions']}>
        <Button
          kind="primary"
          isDisabled={source.info === null || item.state === 'adding'}
          onPress={() => void addTrace(queries, item.id)}
        >
          Add this trace
        </Button>
        <Button onPress={() => dismissUpload(item.id)}>Discard</Button>
      </div>
    </section>
  );
}

function OptionField({ option, onChange }: { readonly option: SourceOption; readonly onChange: (v: string) => void }) {
  const { label, value, choices, help } = option;
  const said = help === '' ? {} : { help };
  if (choices.length === 0) return <TextField label={label} value={value} onChange={onChange} {...said} />;
  const options = choices.map((choice) => ({ id: choice.value, label: choice.label }));
  return <Select label={label} value={value} options={options} onChange={onChange} {...said} />;
}

function Columns({ columns }: { readonly columns: TraceSource['columns'] }) {
  const rows = Math.max(...columns.map(({ samples }) => samples.length));
  return (
    <WideTable label="First rows of the file">
      <table className={page['table']}>
        <thead>
          <tr>
            {columns.map(({ name }) => (
              <th key={name}>{name}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {Array.from({ length: Math.min(rows, 3) }, (_, row) => (
            <tr key={row}>
              {columns.map(({ name, samples }) => (
                <td key={name}>{samples[row]}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </WideTable>
  );
}
