// Parameters to play with: a change runs the sample again, and the run of before is drawn over the new one.
import { useState } from 'react';
import { changedParams, hasEffect, withParam } from '#analysis/params';
import type { ParamDescriptor } from '#protocol/cca';
import type { ParamValues } from '#protocol/spec';
import { Button } from '../../ui/button';
import { ParamField } from '../new/ParamsDialog';
import css from './ccas.module.css';

interface CcaParamsProps {
  /** Whose they are. */
  readonly label: string;
  readonly known: readonly ParamDescriptor[];
  readonly values: ParamValues;
  /** Something was set already when the page came. */
  readonly startsOpen: boolean;
  readonly onChange: (values: ParamValues) => void;
  /** Absent: nothing of before is drawn. */
  readonly onForget?: (() => void) | undefined;
}

export function CcaParams({ label, known, values, startsOpen, onChange, onForget }: CcaParamsProps) {
  const [first] = useState(startsOpen);
  const changed = Object.keys(values).length;
  const set = (param: ParamDescriptor, value: number | boolean | string): void =>
    onChange(changedParams(withParam(values, param, value), known));
  return (
    <details className={css['tuning']} open={first}>
      <summary>
        Parameters of {label}{' '}
        <span>{changed === 0 ? `${known.length}, all as usual` : `${changed} of ${known.length} changed`}</span>
      </summary>
      <p className={css['quiet']}>
        A change runs the sample again{onForget === undefined ? '' : '; the run of before is drawn beside the new one'}.
      </p>
      <div className={css['fields']}>
        {known
          .filter((param) => hasEffect(param, values, known))
          .map((param) => (
            <ParamField
              key={param.name}
              param={param}
              value={values[param.name] ?? param.default}
              onChange={(value) => set(param, value)}
            />
          ))}
      </div>
      <div className={css['tools']}>
        <Button size="small" icon="retry" isDisabled={Object.keys(values).length === 0} onPress={() => onChange({})}>
          Back to the usual values
        </Button>
        {onForget === undefined ? null : (
          <Button size="small" kind="quiet" onPress={onForget}>
            Draw the new run only
          </Button>
        )}
      </div>
    </details>
  );
}
