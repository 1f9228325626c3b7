// What the network of an agent does with what it sees, over two of its inputs, and what its flows saw on their way through the run. It ends
// where the replay stands; the other inputs are what they are there.
import { useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import type { Policy } from '#analysis/policy';
import { Figure } from '../charts/Figure';
import { useCalmRange, type Range } from '../charts/time-view';
import { useVisibility } from '../charts/visibility';
import type { Table } from '../charts/types';
import { formatDuration, formatMeasured } from '../ui/format';
import { getTheme } from '../theme/theme';
import { ACTION, agentsOf, inputLabel, type RunAgent } from './agents';
import type { RunPlotData } from './data';
import type { Flow } from './flows';
import { stepOf } from './phase-points';
import type { PhaseSeries } from './PhasePicture';
import {
  askedOf,
  chosenAgent,
  flowsOfAgent,
  options,
  planeOf,
  pointsOf,
  seriesOf,
  type Asked,
  type Options,
} from './policy-plane';
import { PolicyPicture } from './PolicyPicture';
import { definePlot, type PlotProps } from './registry';
import { flowLegend } from './run-plot';
import styles from './plots.module.css';

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
