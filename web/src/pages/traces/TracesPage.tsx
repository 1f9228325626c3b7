// The library: every trace with its shape and its figures.
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import type { TraceRecord } from '#protocol/api';
import { tracesQuery } from '../../api/queries';
import { useCrumbs } from '../frame/crumbs';
import { Button, buttonClass } from '../../ui/button';
import { Checkbox, TextField } from '../../ui/fields';
import { alignDecimals, formatDelay, formatDuration, formatMeasured, plural } from '../../ui/format';
import { Icon } from '../../ui/icons';
import { Empty, Loading, ProblemNotice } from '../../ui/notice';
import { Badge, PageHead } from '../../ui/page';
import { text, useSearchState } from '../../ui/search';
import { Spark } from '../../ui/spark';
import { MOST_COMPARED } from './ComparePage';
import { TraceUpload } from './TraceUpload';
import { WideTable } from '../../ui/scroll';
import page from '../../ui/page.module.css';
import css from './traces.module.css';

const SEARCH = { q: { codec: text, initial: '' } };

/** Origins that are called otherwise in the list. */
const ORIGINS: Partial<Record<TraceRecord['origin'], string>> = { recipe: 'made here', edit: 'edited' };

export function TracesPage() {
  useCrumbs('Traces');
  const navigate = useNavigate();
  const { search, setSearch } = useSearchState(SEARCH);
  const [ticked, setTicked] = useState<readonly string[]>([]);
  const traces = useQuery(tracesQuery);
  const shown = useMemo(() => {
    const words = search.q.toLowerCase().split(/\s+/).filter(Boolean);
    return (traces.data ?? []).filter((t) =>
      words.every((w) => `${t.name} ${t.description} ${t.origin}`.toLowerCase().includes(w)),
    );
  }, [traces.data, search.q]);

  return (
    <>
      <PageHead
        title="Traces"
        actions={
          <Link to="/traces/make" className={buttonClass({})}>
            <Icon name="gear" />
            Make one
          </Link>
        }
      >
        A trace says when a link could deliver a packet. Rates count 1500 bytes per delivery opportunity; a trace that
        ends starts again.
      </PageHead>
      <TraceUpload onDone={(trace) => void navigate({ to: '/traces/$id', params: { id: trace.id } })} />
      <div className={css['tools']}>
        <div className={css['filter']}>
          <TextField
            label="Filter traces"
            hideLabel
            type="search"
            placeholder="Filter by name"
            value={search.q}
            onChange={(q) => setSearch({ q }, { replace: true })}
          />
        </div>
        {ticked.length === 0 ? null : (
          <>
            <Link
              to="/traces/compare"
              search={{ ids: ticked.join() }}
              className={buttonClass({ kind: ticked.length > 1 ? 'primary' : 'plain' })}
            >
              {ticked.length === 1 ? 'Compare with …' : `Compare ${ticked.length} traces`}
            </Link>
            <Button kind="quiet" onPress={() => setTicked([])}>
              Untick
            </Button>
          </>
        )}
      </div>
      {traces.isPending ? (
        <Loading label="Loading traces" rows={5} height={44} />
      ) : traces.isError ? (
        <ProblemNotice error={traces.error} onRetry={() => void traces.refetch()} />
      ) : shown.length === 0 ? (
        <Empty title={traces.data.length === 0 ? 'No traces yet' : 'No trace has this name'}>
          {traces.data.length === 0
            ? 'Upload one above: it is checked line by line and stays on this machine.'
            : 'Try fewer letters.'}
        </Empty>
      ) : (
        <TraceTable traces={shown} ticked={ticked} setTicked={setTicked} />
      )}
    </>
  );
}

interface TraceTableProps {
  readonly traces: readonly TraceRecord[];
  /** Ids in the order in which they were ticked. */
  readonly ticked: readonly string[];
  readonly setTicked: (ids: readonly string[]) => void;
}

function TraceTable({ traces, ticked, setTicked }: TraceTableProps) {
  const column = (read: (t: TraceRecord) => string): string[] => alignDecimals(traces.map(read));
  const mean = column((t) => formatMeasured(t.info.mean_mbps));
  const std = column((t) => formatMeasured(t.info.std_1s_mbps));
  const peak = column((t) => formatMeasured(t.info.peak_1s_mbps));
  const below = column((t) => formatMeasured(t.info.share_below_5mbps_1s * 100));
  return (
    <WideTable label="Traces">
      <table className={page['table']}>
        <thead>
          <tr>
            <th>
              <span className="visually-hidden">Compare</span>
            </th>
            <th>Trace</th>
            <th className={css['shape']}>Shape</th>
            <th className={page['num']}>Mean, Mbps</th>
            <th className={page['num']}>± over 1 s</th>
            <th className={page['num']}>Peak 1 s</th>
            <th className={page['num']}>Under 5 Mbps, %</th>
            <th className={page['num']}>Longest gap</th>
            <th className={page['num']}>Length</th>
          </tr>
        </thead>
        <tbody>
          {traces.map((trace, i) => (
            <tr key={trace.id}>
              <td className={css['tick']}>
                <Checkbox
                  aria-label={`Compare ${trace.name}`}
                  isSelected={ticked.includes(trace.id)}
                  isDisabled={ticked.length >= MOST_COMPARED && !ticked.includes(trace.id)}
                  onChange={(on) =>
                    setTicked(on ? [...ticked, trace.id] : ticked.filter((other) => other !== trace.id))
                  }
                />
              </td>
              <td className={css['name']}>
                <Link to="/traces/$id" params={{ id: trace.id }}>
                  {trace.name}
                </Link>{' '}
                {trace.origin === 'library' ? null : <Badge>{ORIGINS[trace.origin] ?? trace.origin}</Badge>}
                {trace.info.warnings.length === 0 ? null : (
                  <Badge kind="warn">{plural(trace.info.warnings.length, 'remark')}</Badge>
                )}
                {trace.description === '' ? null : <div className={css['description']}>{trace.description}</div>}
              </td>
              <td className={css['shape']}>
                <Spark values={trace.spark} />
              </td>
              <td className={page['num']}>{mean[i]}</td>
              <td className={page['num']}>{std[i]}</td>
              <td className={page['num']}>{peak[i]}</td>
              <td className={page['num']}>{below[i]}</td>
              <td className={page['num']}>{formatDelay(trace.info.longest_gap_ms)}</td>
              <td className={page['num']}>{formatDuration(trace.info.period_ms / 1000)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </WideTable>
  );
}
