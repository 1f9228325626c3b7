// Parameters of a CCA or a queue discipline, as its own description lists them.
import { type ReactNode, useState } from 'react';
import { changedParams, hasEffect, withParam } from '#analysis/params';
import type { ParamDescriptor } from '#protocol/cca';
import type { ParamValues } from '#protocol/spec';
import { Button } from '../../ui/button';
import { Segmented } from '../../ui/choice';
import { NumberField } from '../../ui/number-field';
import { Switch } from '../../ui/toggle';
import { formatChosen } from '../../ui/format';
import { Dialog } from '../../ui/overlay';
import { sameJson } from './draft';
import { WeightsField } from './WeightsField';
import css from './new.module.css';

interface ParamsDialogProps {
  readonly title: string;
  readonly about: string;
  readonly known: readonly ParamDescriptor[];
  /** Only what differs from the defaults. */
  readonly values: ParamValues;
  readonly onApply: (values: ParamValues) => void;
  /** Takes it once more, with these values. */
  readonly onAdd?: (values: ParamValues) => void;
  /** What else is to be set with these values. */
  readonly more?: (values: ParamValues) => ReactNode;
  /** Of that, something is not as it was. */
  readonly moreChanged?: boolean;
  /** Something of that is missing. */
  readonly lacks?: (values: ParamValues) => boolean;
  readonly onClose: () => void;
}

export function ParamsDialog(props: ParamsDialogProps) {
  const { title, about, known, values, onApply, onAdd, more, moreChanged = false, lacks, onClose } = props;
  const [draft, setDraft] = useState<ParamValues>(values);
  const set = (param: ParamDescriptor, value: number | boolean | string): void =>
    setDraft((previous) => withParam(previous, param, value));
  const isAsked = (param: ParamDescriptor): boolean => hasEffect(param, draft, known);
  // What was set before another value took its effect away comes back with that, but not out of here.
  const meant = changedParams(draft, known);
  const missing =
    lacks?.(draft) === true ||
    known.some((param) => param.type === 'weights' && isAsked(param) && (draft[param.name] ?? '') === '');
  return (
    <Dialog
      title={title}
      open
      onClose={onClose}
      foot={
        <>
          <Button kind="quiet" onPress={() => setDraft({})} isDisabled={Object.keys(draft).length === 0}>
            Back to defaults
          </Button>
          {onAdd === undefined ? null : (
            <Button
              icon="plus"
              isDisabled={missing || (sameJson(meant, values) && !moreChanged)}
              onPress={() => {
                onAdd(meant);
                onClose();
              }}
            >
              Add as another
            </Button>
          )}
          <Button
            kind="primary"
            isDisabled={missing}
            onPress={() => {
              onApply(meant);
              onClose();
            }}
          >
            Apply
          </Button>
        </>
      }
    >
      <p className={css['about']}>{about}</p>
      <div className={css['params']}>
        {known.filter(isAsked).map((param) => (
          <ParamField
            key={param.name}
            param={param}
            value={draft[param.name] ?? param.default}
            onChange={(value) => set(param, value)}
          />
        ))}
        {more?.(draft)}
      </div>
    </Dialog>
  );
}

interface ParamFieldProps {
  readonly param: ParamDescriptor;
  readonly value: number | boolean | string;
  readonly onChange: (value: number | boolean | string) => void;
}

export function ParamField({ param, value, onChange }: ParamFieldProps) {
  switch (param.type) {
    case 'boolean':
      return (
        <div className={css['block']}>
          <Switch value={value === true} onChange={onChange}>
            {param.label}
          </Switch>
          <div className={css['help']}>{param.help}</div>
        </div>
      );
    case 'choice':
      return (
        <Segmented
          label={param.label}
          help={param.help}
          value={String(value)}
          options={param.choices.map((choice) => ({ id: choice, label: choice }))}
          onChange={onChange}
        />
      );
    case 'weights':
      return <WeightsField param={param} value={String(value)} onChange={onChange} />;
    case 'number':
    case 'integer':
      return (
        <NumberField
          label={param.label}
          help={`${param.help} ${rangeText(param)}`}
          unit={param.unit}
          value={Number(value)}
          onChange={onChange}
          {...(param.type === 'integer' ? { step: 1 } : { steppers: false })}
          {...(param.min === null ? {} : { min: param.min })}
          {...(param.max === null ? {} : { max: param.max })}
        />
      );
  }
}

function rangeText({ min, max, default: initial }: ParamDescriptor): string {
  const from = min === null ? '' : `From ${formatChosen(min)}`;
  const to = max === null ? '' : `${from === '' ? 'Up' : ' up'} to ${formatChosen(max)}`;
  const range = from + to;
  const usual = `${range === '' ? 'U' : 'u'}sually ${typeof initial === 'number' ? formatChosen(initial) : String(initial)}.`;
  return range === '' ? usual : `${range}; ${usual}`;
}
