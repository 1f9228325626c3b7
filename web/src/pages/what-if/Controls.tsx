// All that a hand can move: the link, the algorithm, who else is there, how long.
import { memo, type ReactNode, Suspense } from 'react';
import { engineOf } from '#analysis/kinds';
import { changedParams, hasEffect, withParam } from '#analysis/check-params';
import type { TraceRecord } from '#protocol/api';
import type { EngineListing, ParamDescriptor } from '#protocol/cca';
import { ExperimentSpec, type ParamValues } from '#protocol/spec';
import { Select } from '../../ui/choice';
import { Fold } from '../../ui/fold';
import { lazyPart } from '../../ui/lazy-part';
import { Loading } from '../../ui/notice';
import { Range } from '../../ui/range';
import { ccaKnobs, durationKnob, isLimited, isNumber, linkKnobs, queueKnobs, type Knob } from '../../what-if/knobs';
import { lastPlace, placeOf, valueAt } from '../../what-if/scale';
import { traceOf, traceRef, type Draft } from '../new/draft';
import { INFINITE, limitOf, type Unit, UNITS, unitOf } from '../new/LimitFields';
import { ParamField } from '../new/ParamsDialog';
import css from './what-if.module.css';

/** Of the form of an experiment; who moves a slider does not wait for them. */
const FlowsField = lazyPart(async () => ({ default: (await import('../new/FlowsField')).FlowsField }));
const FlowDetails = lazyPart(async () => ({ default: (await import('../new/FlowsField')).FlowDetails }));
const PathField = lazyPart(async () => ({ default: (await import('../new/PathField')).PathField }));

const RATE = 'rate';
const DROPTAIL = 'droptail';
/** Where a constant rate begins when it takes the place of a trace. */
const FIRST_RATE = { rate_mbps: 50 };

type Change = (next: (spec: ExperimentSpec) => ExperimentSpec) => void;

export interface ControlsProps {
  readonly spec: ExperimentSpec;
  /** The same function always. */
  readonly change: Change;
  readonly listing: EngineListing;
  readonly traces: readonly TraceRecord[];
  /** What stands between a knob's name and its rail. */
  readonly above?: ((knob: Knob) => ReactNode) | undefined;
  readonly aside?: ((knob: Knob) => ReactNode) | undefined;
}

export function Controls(props: ControlsProps) {
  const { spec, change, listing, traces } = props;
  const draft: Draft = spec;
  const changeDraft = (next: Partial<Draft> | ((before: Draft) => Partial<Draft>)): void => {
    const parsed = ExperimentSpec.safeParse({ ...spec, ...(typeof next === 'function' ? next(draft) : next) });
    if (parsed.success) change(() => parsed.data);
  };
  const fields = { draft, change: changeDraft, listing, traces };
  return (
    <div className={css['controls']}>
      <LinkFields {...props} />
      <AlgorithmFields {...props} />
      <Fold title="Other flows" open={spec.flows.length > 1}>
        <Suspense fallback={<Loading label="Loading the flows" rows={2} />}>
          <FlowsField {...fields} />
          <FlowDetails {...fields} />
        </Suspense>
      </Fold>
      <Fold title="Path" open={spec.elements !== undefined}>
        <Suspense fallback={<Loading label="Loading the path" rows={2} />}>
          <PathField {...fields} />
        </Suspense>
      </Fold>
      <section aria-label="Run">
        <Knobs {...props} knobs={[durationKnob(spec)]} />
      </section>
    </div>
  );
}

type KnobsProps = Pick<ControlsProps, 'change' | 'above' | 'aside'> & { readonly knobs: readonly Knob[] };

const Knobs = ({ knobs, change, above, aside }: KnobsProps) => (
  <>
    {knobs.map((knob) => (
      <Range
        key={knob.id}
        label={knob.label}
        text={knob.text(knob.value)}
        help={knob.help}
        last={lastPlace(knob.scale)}
        place={placeOf(knob.scale, knob.value)}
        onChange={(place) => change(() => knob.written(valueAt(knob.scale, place)))}
        above={above?.(knob)}
        aside={aside?.(knob)}
      />
    ))}
  </>
);

function LinkFields(props: ControlsProps) {
  const { spec, change, listing, traces } = props;
  const [entry, buffer, queue] = [spec.traces[0], spec.buffers[0], spec.queues[0]];
  const trace = entry === undefined ? undefined : traceOf(entry, traces);
  const discipline = listing.queues.find(({ id }) => id === queue?.id);
  return (
    <section aria-label="Link">
      <h2>Link</h2>
      <CapacityField value={trace?.id ?? RATE} traces={traces} change={change} />
      <Knobs {...props} knobs={linkKnobs(spec, listing, trace?.info.period_ms ?? null)} />
      {buffer === undefined || !isLimited(spec, listing) ? null : (
        <LimitUnitField value={unitOf(buffer)} change={change} />
      )}
      <DisciplineField value={queue?.id ?? DROPTAIL} queues={listing.queues} change={change} />
      {discipline === undefined || queue === undefined ? null : (
        <Params
          {...props}
          knobs={queueKnobs(spec, listing)}
          known={discipline.params}
          values={queue.params}
          written={(params) => ({ ...spec, queues: [{ id: queue.id, params }] })}
        />
      )}
    </section>
  );
}

interface FieldProps<T extends string> {
  readonly value: T;
  readonly change: Change;
}

// Lists are long: they are made again only when something else is chosen, not at every place of a slider.

const CapacityField = memo(function CapacityField({
  value,
  traces,
  change,
}: FieldProps<string> & Pick<ControlsProps, 'traces'>) {
  const offered = traces.filter(({ id, labels }) => labels?.archived !== true || id === value);
  return (
    <Select
      label="Capacity"
      value={value}
      options={[{ id: RATE, label: 'Constant rate' }, ...offered.map(({ id, name }) => ({ id, label: name }))]}
      onChange={(id) => {
        const chosen = traces.find((one) => one.id === id);
        change((spec) => ({
          ...spec,
          traces: [chosen === undefined ? FIRST_RATE : traceRef(chosen, traces)],
          trace_from_s: undefined,
        }));
      }}
    />
  );
});

const LimitUnitField = memo(function LimitUnitField({ value, change }: FieldProps<Unit | typeof INFINITE>) {
  return (
    <Select
      label="Queue limit in"
      value={value}
      options={[...UNITS, { id: INFINITE, label: 'infinite' }]}
      onChange={(unit) => change((spec) => ({ ...spec, buffers: [limitOf(unit)] }))}
    />
  );
});

const DisciplineField = memo(function DisciplineField({
  value,
  queues,
  change,
}: FieldProps<string> & Pick<EngineListing, 'queues'>) {
  return (
    <Select
      label="Discipline"
      value={value}
      options={queues.map(({ id, label }) => ({ id, label }))}
      onChange={(id) => change((spec) => ({ ...spec, queues: [{ id, params: {} }] }))}
    />
  );
});

const CcaField = memo(function CcaField({ value, ccas, change }: FieldProps<string> & Pick<EngineListing, 'ccas'>) {
  const offered = ccas.filter((cca) => engineOf(cca, 'virtual') === 'virtual');
  return (
    <Select
      label="CCA"
      value={value}
      options={offered.map(({ id, label }) => ({ id, label }))}
      onChange={(id) => change((spec) => ({ ...spec, ccas: [{ id, params: {} }] }))}
    />
  );
});

function AlgorithmFields(props: ControlsProps) {
  const { spec, change, listing } = props;
  const [chosen] = spec.ccas;
  const cca = listing.ccas.find(({ id }) => id === chosen?.id);
  if (chosen === undefined) return null;
  return (
    <section aria-label="Algorithm">
      <h2>Algorithm</h2>
      <CcaField value={chosen.id} ccas={listing.ccas} change={change} />
      {cca === undefined || cca.params.length === 0 ? null : (
        <Fold key={cca.id} title={`Parameters of ${cca.label}`} open={Object.keys(chosen.params).length > 0}>
          <Params
            {...props}
            knobs={ccaKnobs(spec, listing)}
            known={cca.params}
            values={chosen.params}
            written={(params) => ({ ...spec, ccas: [{ ...chosen, params }] })}
          />
        </Fold>
      )}
    </section>
  );
}

interface ParamsProps extends Pick<ControlsProps, 'change' | 'above' | 'aside'> {
  readonly known: readonly ParamDescriptor[];
  readonly values: ParamValues;
  readonly written: (values: ParamValues) => ExperimentSpec;
  readonly knobs: readonly Knob[];
}

/** Numbers on rails, everything else as in the form of an experiment. */
function Params({ known, values, written, knobs, change, above, aside }: ParamsProps) {
  const others = known.filter((param) => !isNumber(param) && hasEffect(param, values, known));
  return (
    <>
      {others.map((param) => (
        <ParamField
          key={param.name}
          param={param}
          value={values[param.name] ?? param.default}
          onChange={(value) => change(() => written(changedParams(withParam(values, param, value), known)))}
        />
      ))}
      <Knobs {...{ knobs, change, above, aside }} />
    </>
  );
}
