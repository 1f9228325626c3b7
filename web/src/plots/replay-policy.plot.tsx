// What the network of an agent does with what it sees, over two of its inputs, and what its flows saw on their way through the run. It ends
// where the replay stands; the other inputs are what they are there.
import { useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { z } from 'zod';
import { policyMap, type Policy } from '#analysis/policy';
import { senderStream } from '#protocol/columns';
import { Figure } from '../charts/Figure';
import { useCalmRange, type Range } from '../charts/time-view';
import { useVisibility } from '../charts/visibility';
import type { Table } from '../charts/types';
import { formatDuration, formatMeasured } from '../ui/format';
import { getTheme, type Theme } from '../theme/theme';
import { ACTION, agentsOf, inputLabel, inputsOf, type RunAgent } from './agents';
import type { RunPlotData, RunSamples, StreamData } from './data';
import { flowsOf, type Flow } from './flows';
import { phasePoints, stepOf } from './phase-points';
import type { PhaseSeries } from './PhasePicture';
import { PolicyPicture, type PolicyPlane } from './PolicyPicture';
import { definePlot, type PlotProps } from './registry';
import { flowLegend } from './run-plot';
import styles from './plots.module.css';

const options = z.object({
  /** Whose; empty: the first. */
  agent: z.string().max(64).default(''),
  /** Inputs by name; empty: the first and the last of those that are mostly not 0. */
  x: z.string().max(64).default(''),
  y: z.string().max(64).default(''),
});
type Options = z.output<typeof options>;

const [COLUMNS, ROWS] = [44, 26];
/** Axes reach so many deviations of what the network was trained on from its mean, and over what the run had. */
const DEVIATIONS = 2;
const SHOWN_SHARE = 0.995;
const FIRST_ROWS = 400;

interface Asked {
  readonly agent: RunAgent;
  readonly inputs: readonly string[];
  readonly x: string;
  readonly y: string;
}

function chosenAgent(data: Pick<RunPlotData, 'manifest' | 'ccas'>, { agent: wanted }: Options): RunAgent | undefined {
  const agents = agentsOf(data);
  return agents.find(({ key }) => key === wanted) ?? agents[0];
}

/**
 * What is asked for, of what there is; null: no flow has an agent whose inputs are told.
 * @param policy a network may see less than its loop offers; null: it is not known yet
 */
function askedOf(data: RunPlotData, chosen: Options, policy: Policy | null): Asked | null {
  const agent = chosenAgent(data, chosen);
  if (agent === undefined) return null;
  const inputs = inputsOf(agent.cca).filter((name) => policy === null || policy.inputs.includes(name));
  const told = usual(data, agent, inputs);
  const [first, last] = [told[0], told.at(-1)];
  if (first === undefined || last === undefined || first === last) return null;
  const x = inputs.includes(chosen.x) ? chosen.x : first;
  const y = inputs.includes(chosen.y) && chosen.y !== x ? chosen.y : x === last ? first : last;
  return { agent, inputs, x, y };
}

/** Those that are mostly something, if there are two: an input that is nearly always 0 shows little. */
function usual({ all, samples }: RunPlotData, { flows }: RunAgent, inputs: readonly string[]): readonly string[] {
  const sender = (all ?? samples).streams.get(senderStream(flows[0] ?? 0));
  const often = inputs.filter((name) => {
    // The first ones alone: they stay what they are while a run goes on.
    const values = sender?.column(name)?.subarray(0, Math.min(sender.rows, FIRST_ROWS)).filter(Number.isFinite);
    return values === undefined || values.filter((value) => value !== 0).length >= values.length / 2;
  });
  return often.length < 2 ? inputs : often;
}

const flowsOfAgent = (data: RunPlotData, samples: RunSamples, { agent }: Asked, theme: Theme): Flow[] =>
  flowsOf(data, samples.streams, theme).filter(({ index }) => agent.flows.includes(index));

const pointsOf = ({ sender }: Flow, x: string, y: string, range: Range) =>
  sender === undefined ? [] : phasePoints(columnsOf(sender), { x, y, xUnit: 1, yUnit: 1 }, range, stepOf(range));

/** Streams have methods, which a spread would lose. */
const columnsOf = (stream: StreamData): Pick<StreamData, 'time' | 'rows' | 'column'> => ({
  time: stream.time,
  rows: stream.rows,
  column: (name) => stream.column(name),
});

const seriesOf = (flows: readonly Flow[], { x, y }: Asked, range: Range): PhaseSeries[] =>
  flows.map((flow) => ({ flow, points: pointsOf(flow, x, y, range) }));

/** What each input is in the newest look of a flow; null: it has not looked yet. */
function lookOf({ sender }: Flow, inputs: readonly string[]): readonly number[] | null {
  if (sender === undefined) return null;
  const values = inputs.map((name) => sender.column(name)?.[sender.rows - 1] ?? Number.NaN);
  return values.every((value) => Number.isFinite(value)) ? values : null;
}

/** How far an axis reaches: over what it was trained on, and over what the run has of it. */
function reachOf(policy: Policy, input: number, name: string, flows: readonly Flow[]): [number, number] {
  const mean = policy.subtract[input] ?? 0;
  const wide = DEVIATIONS * (policy.divide[input] ?? 1);
  const seen = Float64Array.from(
    flows.flatMap(({ sender }) => [...(sender?.column(name)?.subarray(0, sender.rows) ?? [])].filter(Number.isFinite)),
  ).sort();
  const [least = 0, most = 0] = [
    seen[Math.floor((seen.length - 1) * (1 - SHOWN_SHARE))],
    seen[Math.ceil((seen.length - 1) * SHOWN_SHARE)],
  ];
  // Shares and times are never below 0.
  const low = Math.min(mean - wide, least);
  return [least >= 0 ? Math.max(0, low) : low, Math.max(mean + wide, most, 1e-6)];
}

const middles = ([from, to]: readonly [number, number], count: number): number[] =>
  Array.from({ length: count }, (_, i) => from + ((i + 0.5) / count) * (to - from));

function planeOf(policy: Policy, asked: Asked, all: readonly Flow[], newest: readonly Flow[]): PolicyPlane | null {
  const [xi, yi] = [policy.inputs.indexOf(asked.x), policy.inputs.indexOf(asked.y)];
  const [first] = newest;
  if (xi < 0 || yi < 0 || first === undefined) return null;
  const others = lookOf(first, policy.inputs) ?? [...policy.subtract];
  const [x, y] = [reachOf(policy, xi, asked.x, all), reachOf(policy, yi, asked.y, all)];
  const actions = policyMap(
    policy,
    others,
    { input: xi, values: middles(x, COLUMNS) },
    { input: yi, values: middles(y, ROWS) },
  );
  return { x, y, columns: COLUMNS, rows: ROWS, actions };
}

type Loaded = { readonly policy: Policy } | { readonly fault: string } | null;

/** Null: it is on its way. */
function usePolicy(load: RunPlotData['loadPolicy'], agent: RunAgent | undefined): Loaded {
  const [loaded, setLoaded] = useState<{ readonly key: string; readonly as: Loaded }>({ key: '', as: null });
  const key = agent?.key ?? '';
  const source = agent?.source;
  useEffect(() => {
    if (source === undefined || load === undefined) return;
    let stale = false;
    const tell = (as: Loaded): void => {
      if (!stale) setLoaded({ key, as });
    };
    load(source).then(
      (policy) => tell({ policy }),
      (error: unknown) => tell({ fault: error instanceof Error ? error.message : String(error) }),
    );
    return () => {
      stale = true;
    };
    // eslint-disable-next-line react-hooks/exhaustive-deps -- the key says which it is
  }, [key, load]);
  return loaded.key === key ? loaded.as : null;
}

function PolicyMap({ data, options: chosen, setOptions, size, theme }: PlotProps<'run', Options>) {
  const { samples, view, visibility } = data;
  const { hidden } = useVisibility(visibility);
  const range = useCalmRange(view);
  const step = stepOf(range);
  const newest = useSyncExternalStore(samples.subscribe, () => Math.floor(samples.timeS / step));
  const streams = useSyncExternalStore(samples.subscribe, () => samples.streams.size);
  const agent = useMemo(() => chosenAgent(data, chosen), [data, chosen]);
  const loaded = usePolicy(data.loadPolicy, agent);
  const policy = loaded === null || 'fault' in loaded ? null : loaded.policy;
  const known = streams > 0 && newest >= 0;
  const asked = useMemo(() => (known ? askedOf(data, chosen, policy) : null), [data, chosen, policy, known]);
  const flows = useMemo(
    () => (asked === null || streams < 0 || newest < 0 ? [] : flowsOfAgent(data, samples, asked, theme)),
    [data, samples, asked, theme, newest, streams],
  );
  const series = useMemo(() => (asked === null ? [] : seriesOf(flows, asked, range)), [asked, flows, range]);
  const { all } = data;
  const complete = all?.complete === true;
  const plane = useMemo(() => {
    if (asked === null || policy === null) return null;
    const whole = all === undefined || !complete ? flows : flowsOfAgent(data, all, asked, theme);
    return planeOf(policy, asked, whole, flows);
  }, [data, all, complete, asked, policy, flows, theme]);
  if (asked === null || data.loadPolicy === undefined) return null;
  const shown = series.filter(({ flow }) => !hidden.has(flow.key));
  const said = loaded !== null && 'fault' in loaded ? `The network cannot be had: ${loaded.fault}` : '';
  return (
    <Figure
      name={`${data.id}-policy`}
      title={TITLE}
      subtitle={said === '' ? subtitleOf(asked, policy, flows, step) : said}
      legend={flowLegend(flows)}
      visibility={visibility}
      spoken
      table={() => tableOf(shown, flows, asked, range)}
      controls={<Controls data={data} asked={asked} setOptions={setOptions} />}
    >
      {plane === null ? (
        <div style={{ height: said === '' ? size.height : 0 }} />
      ) : (
        <PolicyPicture
          plane={plane}
          series={shown}
          x={inputLabel(asked.agent.cca, asked.x)}
          y={inputLabel(asked.agent.cca, asked.y)}
          range={range}
          width={size.width}
          height={size.height}
          theme={theme}
          emphasis={(key) => visibility.emphasis({ group: key })}
          view={view}
        />
      )}
    </Figure>
  );
}

const TITLE = 'What the agent does';

function subtitleOf({ agent }: Asked, policy: Policy | null, flows: readonly Flow[], step: number): string {
  if (policy === null) return 'its network is on its way';
  const { history } = policy;
  const action = flows.map(({ sender }) => sender?.column(ACTION)?.[sender.rows - 1] ?? Number.NaN)[0] ?? Number.NaN;
  const now = Number.isFinite(action) ? `; its last action was ${formatMeasured(action, 2)}` : '';
  const looks = history === 1 ? '' : `, and its ${history} looks alike`;
  return `${agent.label}: its action where the other inputs are as they were last${looks}; what it saw every ${formatDuration(step)}, from faint to strong${now}`;
}

interface ControlsProps {
  readonly data: RunPlotData;
  readonly asked: Asked;
  readonly setOptions: (change: Partial<Options>) => void;
}

function Controls({ data, asked: { agent, inputs, x, y }, setOptions }: ControlsProps) {
  const agents = agentsOf(data);
  const names = inputs.map((name) => ({ value: name, label: inputLabel(agent.cca, name) }));
  return (
    <div className={styles['controls']}>
      {agents.length < 2 ? null : (
        <Choice
          title="Agent"
          value={agent.key}
          choices={agents.map(({ key, label }) => ({ value: key, label }))}
          onChoose={(key) => setOptions({ agent: key, x: '', y: '' })}
        />
      )}
      {/* Who chooses for one axis what the other has wants them the other way round. */}
      <Choice
        title="Across"
        value={x}
        choices={names}
        onChoose={(name) => setOptions({ x: name, y: name === y ? x : y })}
      />
      <Choice
        title="Up"
        value={y}
        choices={names}
        onChoose={(name) => setOptions({ y: name, x: name === x ? y : x })}
      />
    </div>
  );
}

interface ChoiceProps {
  readonly title: string;
  readonly value: string;
  readonly choices: readonly { readonly value: string; readonly label: string }[];
  readonly onChoose: (value: string) => void;
}

const Choice = ({ title, value, choices, onChoose }: ChoiceProps) => (
  <label className={styles['choice']}>
    <span>{title}</span>
    <select className={styles['narrow']} value={value} onChange={(event) => onChoose(event.target.value)}>
      {choices.map((choice) => (
        <option key={choice.value} value={choice.value}>
          {choice.label}
        </option>
      ))}
    </select>
  </label>
);

function tableOf(series: readonly PhaseSeries[], flows: readonly Flow[], { x, y }: Asked, range: Range): Table {
  function* rows(): Generator<readonly (string | number | null)[]> {
    for (const { flow, points } of series) {
      const own = flows.find(({ key }) => key === flow.key);
      const actions = new Map(
        (own === undefined ? [] : pointsOf(own, ACTION, ACTION, range)).map((point) => [point.time_s, point.x]),
      );
      for (const point of points) yield [point.time_s, flow.label, point.x, point.y, actions.get(point.time_s) ?? null];
    }
  }
  return { columns: ['time_s', 'series', x, y, ACTION], rows: rows() };
}

export const plot = definePlot({
  id: 'policy',
  title: TITLE,
  needs: 'run',
  order: 49,
  height: 380,
  whenSeen: true,
  options,
  applies: (data) => askedOf(data, options.parse({}), null) !== null,
  table: (data, chosen, { range, hidden }) => {
    const asked = askedOf(data, chosen, null);
    if (asked === null) return { columns: ['time_s', 'series'], rows: [].values() };
    const flows = flowsOfAgent(data, data.samples, asked, getTheme());
    const shown = range ?? data.view.extent;
    return tableOf(
      seriesOf(flows, asked, shown).filter(({ flow }) => !hidden.has(flow.key)),
      flows,
      asked,
      shown,
    );
  },
  Component: PolicyMap,
});
