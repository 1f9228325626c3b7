// What a person does with experiments, runs and traces beside making them, from a terminal: in a data folder, or at a server that has it.
import { resolve } from 'node:path';
import { z } from 'zod';
import { finder } from '#analysis/find-labelled';
import type { PrivateKind } from '#protocol/access';
import { ExperimentList, type ExperimentListItem } from '#protocol/api';
import { ExperimentId, TraceId } from '#protocol/ids';
import { LABEL_LIMITS } from '#protocol/limits';
import { Labels, LabelsChange, tagText, type LabelKind } from '#protocol/labels';
import { checked, parseWords, UsageError } from '../config.ts';
import { AppError } from '../errors.ts';
import { askServer, openFolder } from './desk.ts';
import { EXIT } from './exit.ts';
import { table } from './table.ts';

const HELP = `Usage: paceline experiments [WORD ...] [--archived] [--json]
       paceline tag ID +thesis -old ...
       paceline note ID [TEXT]            without TEXT it is printed; - reads it from standard input
       paceline star ID [--off]
       paceline rename ID NAME            an empty name is its own again
       paceline archive ID [--off]
       paceline publish ID                an experiment or a trace that is private: all see it, for good
       paceline delete ID                 an experiment or a trace; for 24 hours it can be restored
       paceline restore ID                (paceline restore --from DIR: a data folder from a backup)

  ID               of an experiment, a run or a trace, as in the address of its page
  WORD             stands in its name, traces, algorithms or tags; tag:thesis: it has this tag
  --data-dir DIR   where they are (default: $PACELINE_DATA_DIR, else ./data: the server's)
  --server URL     ask a server that runs, with the token of $PACELINE_TOKEN if there is one
`;

type Action = 'delete' | 'restore';
type Thing = 'experiment' | 'trace';

/** Who is asked: a data folder of this process's own, or a server that has it. */
interface Desk {
  readonly experiments: (archived: boolean) => Promise<readonly ExperimentListItem[]>;
  /** null: there is nothing of this kind. */
  readonly labels: (kind: LabelKind, id: string) => Promise<Labels | null>;
  readonly change: (kind: LabelKind, id: string, change: LabelsChange) => Promise<Labels>;
  readonly act: (action: Action, kind: Thing, id: string) => Promise<Labels>;
  readonly publish: (kind: PrivateKind, id: string) => Promise<void>;
  readonly close: () => Promise<void>;
}

function folderDesk(dataDir: string): Desk {
  const lab = openFolder(dataDir);
  const { organiser } = lab;
  const act: Desk['act'] = async (action, kind, id) => {
    if (action === 'restore')
      return kind === 'experiment' ? organiser.restoreExperiment(id) : organiser.restoreTrace(id);
    return kind === 'experiment' ? organiser.deleteExperiment(id) : organiser.deleteTrace(id);
  };
  return {
    experiments: (archived) => Promise.resolve(lab.experiments.list({ archived })),
    labels: async (kind, id) => {
      try {
        return await Promise.resolve(organiser.get(kind, id));
      } catch (error) {
        if (error instanceof AppError && error.code.endsWith('_UNKNOWN')) return null;
        throw error;
      }
    },
    change: async (kind, id, change) => Promise.resolve(organiser.change(kind, id, change)),
    act,
    publish: (kind, id) => {
      organiser.publish(kind, id);
      return Promise.resolve();
    },
    close: () => lab.close(),
  };
}

function serverDesk(server: string): Desk {
  return {
    experiments: async (archived) =>
      (await askServer(server, `/experiments?archived=${archived}`, ExperimentList)).experiments,
    labels: (kind, id) => askServer(server, `/${kind}s/${id}/labels?unknown=null`, Labels.nullable()),
    change: (kind, id, change) =>
      askServer(server, `/${kind}s/${id}/labels`, Labels, { method: 'PATCH', body: JSON.stringify(change) }),
    act: (action, kind, id) =>
      action === 'delete'
        ? askServer(server, `/${kind}s/${id}`, Labels, { method: 'DELETE' })
        : askServer(server, `/${kind}s/${id}/restore`, Labels, { method: 'POST' }),
    publish: async (kind, id) => {
      await askServer(server, `/${kind}s/${id}/publish`, z.unknown(), { method: 'POST' });
    },
    close: () => Promise.resolve(),
  };
}

interface Asked {
  readonly words: readonly string[];
  readonly archived: boolean;
  readonly off: boolean;
  readonly json: boolean;
  readonly desk: () => Desk;
}

/** null: it has told how it is used. */
function asked(words: readonly string[]): Asked | null {
  // `-old` is a tag to take away, not an option.
  const [tags, others] = [
    words.filter((word) => /^-(?!h$)[^-]/.test(word)),
    words.filter((word) => !/^-(?!h$)[^-]/.test(word)),
  ];
  const { values, positionals } = parseWords({
    args: [...others],
    allowPositionals: true,
    options: {
      archived: { type: 'boolean', default: false },
      off: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      'data-dir': { type: 'string' },
      server: { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help === true) {
    process.stdout.write(HELP);
    return null;
  }
  const { server, archived, off, json, 'data-dir': dataDir } = values;
  if (server !== undefined && !URL.canParse(server)) throw new UsageError(`--server: ${server} is no address`);
  const folder = resolve(dataDir ?? process.env['PACELINE_DATA_DIR'] ?? 'data');
  return {
    words: [...positionals, ...tags],
    archived,
    off,
    json,
    desk: () => (server === undefined ? folderDesk(folder) : serverDesk(server)),
  };
}

/** What an id is of: those of experiments and of runs look alike. */
async function found(desk: Desk, id: string): Promise<{ readonly kind: LabelKind; readonly labels: Labels }> {
  const kinds: readonly LabelKind[] = TraceId.safeParse(id).success
    ? ['trace']
    : ExperimentId.safeParse(id).success
      ? ['experiment', 'run']
      : [];
  for (const kind of kinds) {
    const labels = await desk.labels(kind, id);
    if (labels !== null) return { kind, labels };
  }
  throw new UsageError(`there is no experiment, run or trace ${id}`);
}

type Job = (desk: Desk, id: string, rest: readonly string[], asked: Asked) => Promise<string>;

/** A command that does something with one thing and says what came of it. */
const command =
  (name: string, job: Job) =>
  async (words: readonly string[]): Promise<number> => {
    const given = asked(words);
    if (given === null) return EXIT.ok;
    const [id, ...rest] = given.words;
    if (id === undefined) throw new UsageError(`${name}: of which experiment, run or trace?`);
    const desk = given.desk();
    try {
      process.stdout.write(`${await job(desk, id, rest, given)}\n`);
      return EXIT.ok;
    } finally {
      await desk.close();
    }
  };

const change = (what: unknown): LabelsChange => checked(LabelsChange, what, (key) => key);

export const tag = command('tag', async (desk, id, words) => {
  const wrong = words.find((word) => !/^[+-]./.test(word));
  if (wrong !== undefined) throw new UsageError(`tag: ${wrong}: write +${wrong} or -${wrong}`);
  const { kind, labels } = await found(desk, id);
  if (words.length === 0) return labels.tags.join('\n');
  const tags = new Set(labels.tags);
  for (const word of words) {
    if (word.startsWith('+')) tags.add(tagText(word));
    else tags.delete(tagText(word));
  }
  if (tags.size > LABEL_LIMITS.tags.max) throw new UsageError(`tag: more than ${LABEL_LIMITS.tags.max} tags`);
  return (await desk.change(kind, id, change({ tags: [...tags] }))).tags.join(' ');
});

export const note = command('note', async (desk, id, words) => {
  const { kind, labels } = await found(desk, id);
  if (words.length === 0) return labels.note;
  const text = words.length === 1 && words[0] === '-' ? await standardInput() : words.join(' ');
  return (await desk.change(kind, id, change({ note: text }))).note;
});

async function standardInput(): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of process.stdin) pieces.push(Buffer.from(piece as Uint8Array));
  return Buffer.concat(pieces).toString('utf8').trimEnd();
}

export const star = command('star', async (desk, id, _, { off }) => {
  const { kind } = await found(desk, id);
  await desk.change(kind, id, { starred: !off });
  return off ? `${id} has no star` : `${id} has a star`;
});

export const rename = command('rename', async (desk, id, words) => {
  if (words.length === 0) throw new UsageError('rename: what is it to be called?');
  const { kind } = await found(desk, id);
  const { name } = await desk.change(kind, id, change({ name: words.join(' ') }));
  return kind === 'trace' ? `${id} is called ${words.join(' ')}` : `${id} is called ${name ?? 'as before'}`;
});

export const archive = command('archive', async (desk, id, _, { off }) => {
  const { kind } = await found(desk, id);
  await desk.change(kind, id, { archived: !off });
  return off ? `${id} is in the lists again` : `${id} is archived`;
});

const noRun = async (desk: Desk, id: string, what: Action | 'publish'): Promise<Thing> => {
  const { kind } = await found(desk, id);
  if (kind === 'run') throw new UsageError(`${what}: ${id} is a run, which its experiment needs; name that`);
  return kind;
};

export const remove = command('delete', async (desk, id) => {
  const { deleted } = await desk.act('delete', await noRun(desk, id, 'delete'), id);
  return `${id} is deleted. Until ${deleted?.until ?? 'then'}: paceline restore ${id}`;
});

export const publish = command('publish', async (desk, id) => {
  await desk.publish(await noRun(desk, id, 'publish'), id);
  return `${id} is for all who may look`;
});

export const restore = command('restore', async (desk, id) => {
  await desk.act('restore', await noRun(desk, id, 'restore'), id);
  return `${id} is there again`;
});

export async function experiments(words: readonly string[]): Promise<number> {
  const given = asked(words);
  if (given === null) return EXIT.ok;
  const desk = given.desk();
  try {
    const finds = finder(given.words.join(' '));
    const list = (await desk.experiments(given.archived)).filter(({ name, traces, ccas, state, labels }) =>
      finds([name, ...traces, ...ccas, state].join('\n'), labels?.tags),
    );
    if (given.json) process.stdout.write(`${JSON.stringify({ experiments: list }, null, 2)}\n`);
    else process.stdout.write(table([HEAD, ...list.map(lineOf)]));
    return EXIT.ok;
  } finally {
    await desk.close();
  }
}

const HEAD = ['', 'id', 'made', 'runs', 'state', 'tags', 'name'];
const lineOf = ({
  id,
  name,
  state,
  created_at,
  runs_done,
  runs_total,
  labels,
  private: only,
}: ExperimentListItem): string[] => [
  labels?.starred === true ? '*' : '',
  id,
  created_at.slice(0, 10),
  runs_done === runs_total ? String(runs_total) : `${runs_done}/${runs_total}`,
  [state, labels?.archived === true ? 'archived' : '', only === true ? 'private' : ''].filter(Boolean).join(', '),
  labels?.tags.join(' ') ?? '',
  name,
];
