import { ccaNamesIn } from '#analysis/cca-label';
import { identity, UNKNOWN_IDENTITY } from '#analysis/cca-look';
import { formatDuration, formatRate, plural } from '#analysis/format';
import type { CardPicture, CardPoint, OgCard } from '#analysis/og-card';
import { paletteOf, TOKENS } from '#analysis/palette';
import { resultsOf, type CellBrief } from '#analysis/results';
import { ExperimentRecord, RunRecord, TraceList, type TraceRecord } from '#protocol/api';
import type { CcaDescriptor } from '#protocol/cca';
import { ExperimentId, RunId, ShareSlug, StudyId, TraceId } from '#protocol/ids';
import { sharedPage, type ShareRecord } from '#protocol/share';
import { AppError } from '../errors.ts';
import type { Lab } from '../lab.ts';
import type { Eyes } from '../store/private.ts';
import { keptAnswers } from '../shares/kept-answers.ts';

export const OG_KINDS = ['e', 'r', 's', 'traces', 'studies'] as const;
export type OgKind = (typeof OG_KINDS)[number];

const IDS = { e: ExperimentId, r: RunId, s: ShareSlug, traces: TraceId, studies: StudyId } as const;

/** What a page is about, in a title and a line: read quickly, for every visit of it. */
export interface Subject {
  readonly kind: OgKind;
  readonly id: string;
  readonly title: string;
  readonly line: string;
  /** Changes when the picture does. */
  readonly version: string;
}

/** Cells of which there are points: the picture is small. */
const MOST_CELLS = 200;
const PALETTE = paletteOf('light');
const CAPACITY = '#c3c9d0';
const [INK] = TOKENS.ink;

/** The page's address as kind and id; null: it is about nothing of which there is a picture. */
export function subjectAt(path: string): { readonly kind: OgKind; readonly id: string } | null {
  const [, first, id = '', ...more] = path.split('/');
  const kind = OG_KINDS.find((one) => one === first);
  return kind === undefined || more.length > 0 || !IDS[kind].safeParse(id).success ? null : { kind, id };
}

const listed = (names: readonly string[], most = 6): string =>
  names.length <= most ? names.join(', ') : `${names.slice(0, most).join(', ')} and ${names.length - most} more`;

const traceLine = ({ info }: TraceRecord): string =>
  `Trace, ${formatDuration(info.period_ms / 1000)}, ${formatRate(info.mean_mbps)} on average`;

function runTitle({ manifest }: Pick<RunRecord, 'manifest'>, ccas: readonly CcaDescriptor[]): string {
  const { capacity } = manifest.forward;
  const link =
    capacity.kind === 'trace'
      ? capacity.name
      : capacity.kind === 'constant'
        ? formatRate(capacity.rate_mbps)
        : 'no limit';
  // Without parameters: a manifest has them all.
  const names = ccaNamesIn(ccas);
  const labels = manifest.flows.map((flow) => names(flow.cca.id));
  return `${listed([...new Set(labels)], 3)} over ${link}`;
}

const PRIVATE = { e: 'experiment', r: 'run', traces: 'trace' } as const;

/** Null where there is nothing by that id, or nothing for these eyes. */
export async function subjectOf(
  lab: Lab,
  { kind, id }: { readonly kind: OgKind; readonly id: string },
  eyes: Eyes,
): Promise<Subject | null> {
  if (kind !== 's' && kind !== 'studies' && lab.store.private.isUnseen(PRIVATE[kind], id, eyes)) return null;
  const about = await whatIs(lab, kind, id, eyes).catch((error: unknown) => {
    if (error instanceof AppError) return null;
    throw error;
  });
  return about === null ? null : { kind, id, ...about };
}

async function whatIs(lab: Lab, kind: OgKind, id: string, eyes: Eyes): Promise<Omit<Subject, 'kind' | 'id'> | null> {
  switch (kind) {
    case 'e': {
      const item = lab.experiments.item(id);
      const names = ccaNamesIn((await lab.engine.listing()).ccas);
      const line = `${listed(item.ccas.map(names))} over ${listed(item.traces, 3)}: ${plural(item.runs_done, 'run')}`;
      return { title: item.name, line, version: `${item.runs_done} ${item.runs_failed} ${item.state}` };
    }
    case 'r': {
      const record = lab.experiments.run(id);
      const { ccas } = await lab.engine.listing();
      const home = record.experiments.find((one) => !lab.store.private.isUnseen('experiment', one.id, eyes));
      const line = `Run of ${formatDuration(record.manifest.duration_s)}${home === undefined ? '' : ` of “${home.name}”`}`;
      return { title: runTitle(record, ccas), line, version: `${record.state} ${record.started_at ?? ''}` };
    }
    case 's': {
      const share = lab.store.shares.get(id);
      if (share === null) return null;
      const [first = ''] = share.note.split('\n');
      const line = first === '' ? `Frozen on ${share.created_at.slice(0, 10)}` : first;
      return { title: share.title, line, version: share.created_at };
    }
    case 'traces': {
      const trace = lab.traces.get(id);
      return { title: trace.name, line: traceLine(trace), version: trace.name };
    }
    case 'studies': {
      const { title, question } = await lab.studies.study(id);
      return { title, line: question, version: title };
    }
  }
}

const KINDS = { e: 'Experiment', r: 'Run', s: 'Frozen view', traces: 'Trace', studies: 'Study' } as const;

type Pictured = Pick<OgCard, 'picture' | 'axes'>;
const BARE: Pictured = { picture: null, axes: '' };

function pointsOf(results: readonly CellBrief[]): Pictured {
  const points = results.slice(0, MOST_CELLS).flatMap(({ cell, cca, figures: { metrics } }): CardPoint[] => {
    const [delay, share] = [metrics.queueing_mean ?? metrics.rtt_mean, metrics.utilisation];
    if (delay === null || share === null) return [];
    const { colour, marker, hollow } = identity(cca ?? UNKNOWN_IDENTITY, PALETTE);
    return [{ x: delay.mean, y: share.mean, colour, marker, hollow, label: cca?.label ?? cell.cca.id }];
  });
  const measured = results.every(({ figures: { metrics } }) => metrics.queueing_mean !== null);
  const delay = measured ? 'queueing delay' : 'delay';
  return points.length === 0
    ? BARE
    : { picture: { kind: 'points', points }, axes: `Utilisation (0 to 100 %) over ${delay} (from 0 ms)` };
}

const traceCourse = ({ spark, info }: TraceRecord): Pictured => ({
  picture: { kind: 'course', series: [{ values: spark, colour: CAPACITY, filled: true }] },
  axes: `Capacity over ${formatDuration(info.period_ms / 1000)}, from 0 Mbps`,
});

async function runCourse(lab: Lab, { id, manifest }: Pick<RunRecord, 'id' | 'manifest'>): Promise<Pictured> {
  const spark = await lab.sparks.of(id, new AbortController().signal);
  if (spark === null) return BARE;
  const { ccas } = await lab.engine.listing();
  const own = manifest.flows.map((flow) => flow.cca.id);
  const cca = ccas.find((one) => one.id === own[0]);
  // Of flows of several algorithms it is the sum.
  const colour = new Set(own).size === 1 ? identity(cca ?? UNKNOWN_IDENTITY, PALETTE).colour : INK;
  const picture: CardPicture = {
    kind: 'course',
    series: [
      { values: spark.capacity_mbps, colour: CAPACITY, filled: true },
      { values: spark.delivered_mbps, colour, filled: false },
    ],
  };
  return { picture, axes: `Capacity and delivered rate over ${formatDuration(manifest.duration_s)}, from 0 Mbps` };
}

/** Of what the share has kept, not of what became of it. */
async function frozenPicture(lab: Lab, { slug, kind, address }: ShareRecord): Promise<Pictured> {
  const answers = keptAnswers(lab.store.shares, slug);
  const [id = ''] = sharedPage(address)?.ids ?? [];
  if (kind === 'experiment') {
    const record = ExperimentRecord.safeParse(answers[`/experiments/${id}`]);
    const { ccas } = await lab.engine.listing();
    return record.success ? pointsOf(resultsOf(record.data, ccas)) : BARE;
  }
  if (kind === 'run' || kind === 'overlay') {
    const record = RunRecord.safeParse(answers[`/runs/${id}`]);
    return record.success && record.data.state === 'done' ? runCourse(lab, record.data) : BARE;
  }
  const list = TraceList.safeParse(answers['/traces']);
  const trace = list.data?.traces.find((one) => one.id === id);
  return trace === undefined ? BARE : traceCourse(trace);
}

async function pictureOf(lab: Lab, { kind, id }: Subject): Promise<Pictured> {
  switch (kind) {
    case 'e': {
      const { ccas } = await lab.engine.listing();
      return pointsOf((await lab.figures.page(id, ccas, { from: 0, to: MOST_CELLS })).results);
    }
    case 'r':
      return runCourse(lab, lab.experiments.run(id));
    case 's': {
      const share = lab.store.shares.get(id);
      return share === null ? BARE : frozenPicture(lab, share);
    }
    case 'traces':
      return traceCourse(lab.traces.get(id));
    case 'studies':
      return BARE;
  }
}

export const cardOf = async (lab: Lab, subject: Subject): Promise<OgCard> => ({
  what: KINDS[subject.kind],
  title: subject.title,
  line: subject.line,
  ...(await pictureOf(lab, subject)),
});
