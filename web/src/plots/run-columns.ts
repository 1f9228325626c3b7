// The columns of a run's samples as the analysis asks for them.
import type { ColumnOf } from '#analysis/run-dynamics';
import type { RunSamples } from './data';

export const columnsIn =
  ({ streams }: RunSamples): ColumnOf =>
  (stream, column) => {
    const data = streams.get(stream);
    const values = data?.column(column);
    return data === undefined || values === undefined ? null : { time: data.time, values, rows: data.rows };
  };
