// All that a hand can move: the link, the algorithm, who else is there, how long.
import { memo, type ReactNode, Suspense } from 'react';
import { engineOf, isOffered, isPlugin } from '#analysis/kinds';
import { changedParams, hasEffect, withParam } from '#analysis/params';
import type { TraceRecord } from '#protocol/api';
import type { CcaDescriptor, EngineListing, ParamDescriptor } from '#protocol/cca';
import { type ChosenCca, ExperimentSpec, type ParamValues, type TransportProfile } from '#protocol/spec';
import { Select } from '../../ui/choice';
import { Fold } from '../../ui/fold';
import { lazyPart } from '../../ui/lazy-part';
import { Loading } from '../../ui/notice';
import { Range } from '../../ui/range';
import {
  ccaKnobs,
  durationKnob,
  flowKnobs,
  isLimited,
  isNumber,
  linkKnobs,
  queueKnobs,
  type Knob,
} from '../../what-if/knobs';
import { TRANSPORTS } from '../../what-if/transports';
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
  /** Ids of what can be moved; absent: all of it. */
  readonly offers?: readonly string[] | undefined;
}

/** Fields that are no knobs. */
const FIELDS = {
  capacity: 'capacity',
  unit: 'unit',
  discipline: 'discipline',
  cca: 'cca',
  transport: 'transport',
  flows: 'flows',
  path: 'path',
} as const;

const has = (offers: ControlsProps['offers'], id: string): boolean => offers === undefined || offers.includes(id);

export function Controls(props: ControlsProps) {
  return (
    <div className={css['controls']}>
      <LinkFields {...props} />
      <AlgorithmFields {...props} />
      <FlowsAndPath {...props} />
      <Knobs {...props} knobs={[durationKnob(props.spec)]} />
    </div>
  );
}

/** Who else is there, and what is on the way. */
export function FlowsAndPath(props: ControlsProps) {
  const { spec, change, listing, traces, offers } = props;
  const draft: Draft = spec;
  const changeDraft = (next: Partial<Draft> | ((before: Draft) => Partial<Draft>)): void => {
    const parsed = ExperimentSpec.safeParse({ ...spec, ...(typeof next === 'function' ? next(draft) : next) });
    if (parsed.success) change(() => parsed.data);
  };
  const fields = { draft, change: changeDraft, listing, traces };
  return (
    <>
      <Knobs {...props} knobs={flowKnobs(spec)} />
      {has(offers, FIELDS.flows) ? (
        <Fold title="Other flows" open={spec.flows.length > 1}>
          <Suspense fallback={<Loading label="Loading the flows" rows={2} />}>
            <FlowsField {...fields} />
            <FlowDetails {...fields} />
          </Suspense>
        </Fold>
      ) : null}
      {has(offers, FIELDS.path) ? (
        <Fold title="Path" open={spec.elements !== undefined}>
          <Suspense fallback={<Loading label="Loading the path" rows={2} />}>
            <PathField {...fields} />
          </Suspense>
        </Fold>
      ) : null}
    </>
  );
}

type KnobsProps = Pick<ControlsProps, 'change' | 'above' | 'aside' | 'offers'> & { readonly knobs: readonly Knob[] };

export const Knobs = ({ knobs, change, above, aside, offers }: KnobsProps) => (
  <>
    {knobs
      .filter(({ id }) => has(offers, id))
      .map((knob) => (
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

export function LinkFields(props: ControlsProps) {
  const { spec, change, listing, traces, offers } = props;
  const [entry, buffer, queue] = [spec.traces[0], spec.buffers[0], spec.queues[0]];
  const trace = entry === undefined ? undefined : traceOf(entry, traces);
  const discipline = listing.queues.find(({ id }) => id === queue?.id);
  return (
    <section aria-label="Link">
      {offers === undefined ? <h2>Link</h2> : null}
      {has(offers, FIELDS.capacity) ? (
        <CapacityField value={trace?.id ?? RATE} traces={traces} change={change} />
      ) : null}
      <Knobs {...props} knobs={linkKnobs(spec, listing, trace?.info.period_ms ?? null)} />
      {buffer === undefined || !isLimited(spec, listing) || !has(offers, FIELDS.unit) ? null : (
        <LimitUnitField value={unitOf(buffer)} change={change} />
      )}
      {has(offers, FIELDS.discipline) ? (
        <DisciplineField value={queue?.id ?? DROPTAIL} queues={listing.queues} change={change} />
      ) : null}
      {discipline === undefined || queue === undefined ? null : (
        <Params
          {...props}
          prefix={`queue/${discipline.id}`}
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
  const offered = ccas.filter(
    (cca) => engineOf(cca, 'virtual') === 'virtual' && !isPlugin(cca) && (isOffered(cca) || cca.id === value),
  );
  return (
    <Select
      label="CCA"
      value={value}
      options={offered.map(({ id, label }) => ({ id, label }))}
      onChange={(id) => change((spec) => ({ ...spec, ccas: [{ id, params: {} }] }))}
    />
  );
});

export const TransportField = memo(function TransportField({ value, change }: FieldProps<TransportProfile>) {
  return (
    <Select
      label="Transport"
      value={value}
      options={TRANSPORTS}
      onChange={(transport) => change((spec) => ({ ...spec, transports: [transport] }))}
    />
  );
});

export const transportOf = ({ transports, flows }: ExperimentSpec): TransportProfile =>
  transports?.[0] ?? flows[0]?.transport ?? 'tcp';

function AlgorithmFields(props: ControlsProps) {
  const { spec, change, listing, offers } = props;
  const [chosen] = spec.ccas;
  const cca = listing.ccas.find(({ id }) => id === chosen?.id);
  if (chosen === undefined) return null;
  return (
    <section aria-label="Algorithm">
      {offers === undefined ? <h2>Algorithm</h2> : null}
      {has(offers, FIELDS.cca) ? <CcaField value={chosen.id} ccas={listing.ccas} change={change} /> : null}
      {has(offers, FIELDS.transport) ? <TransportField value={transportOf(spec)} change={change} /> : null}
      {cca === undefined || !cca.params.some(({ name }) => has(offers, `cca/${cca.id}/${name}`)) ? null : (
        <CcaParams {...props} chosen={chosen} cca={cca} />
      )}
    </section>
  );
}

interface CcaParamsProps extends ControlsProps {
  readonly chosen: ChosenCca;
  readonly cca: CcaDescriptor;
}

/** There may be many: behind their name, unless they are what there is to move. */
function CcaParams(props: CcaParamsProps) {
  const { chosen, cca, offers } = props;
  if (offers !== undefined) return <PlainParams {...props} />;
  return (
    <Fold key={cca.id} title={`Parameters of ${cca.label}`} open={Object.keys(chosen.params).length > 0}>
      <PlainParams {...props} />
    </Fold>
  );
}

/** Of the chosen algorithm, in plain sight. */
export const PlainParams = ({ chosen, cca, ...props }: CcaParamsProps) => (
  <Params
    {...props}
    prefix={`cca/${cca.id}`}
    knobs={ccaKnobs(props.spec, props.listing)}
    known={cca.params}
    values={chosen.params}
    written={(next) => ({ ...props.spec, ccas: [{ ...chosen, params: next }] })}
  />
);

interface ParamsProps extends Pick<ControlsProps, 'change' | 'above' | 'aside' | 'offers'> {
  /** Of the ids of its fields. */
  readonly prefix: string;
  readonly known: readonly ParamDescriptor[];
  readonly values: ParamValues;
  readonly written: (values: ParamValues) => ExperimentSpec;
  readonly knobs: readonly Knob[];
}

/** Numbers on rails, everything else as in the form of an experiment. */
function Params({ prefix, known, values, written, knobs, change, above, aside, offers }: ParamsProps) {
  const others = known.filter(
    (param) => !isNumber(param) && hasEffect(param, values, known) && has(offers, `${prefix}/${param.name}`),
  );
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
      <Knobs {...{ knobs, change, above, aside, offers }} />
    </>
  );
}
