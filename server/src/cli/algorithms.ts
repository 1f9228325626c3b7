// Own algorithms from a terminal: read, kept and listed in a data folder, or at a server that has it.
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { z } from 'zod';
import { skeletonOf } from '#analysis/own-skeleton';
import { OwnEngines } from '#bridge/own-engines';
import type { ParamDescriptor } from '#protocol/cca';
import {
  isOwnCca,
  OwnAlgorithm,
  OwnAlgorithmList,
  OwnAlgorithmText,
  type OwnDeclaration,
  type OwnProblem,
} from '#protocol/own-algorithm';
import { parseWords, UsageError } from '../config.ts';
import { AppError } from '../errors.ts';
import { ownTextOf } from '../own/own-text.ts';
import { askServer, openFolder, ServerRefused, type Question } from './desk.ts';
import { EXIT } from './exit.ts';
import { table } from './table.ts';

const HELP = `Usage: paceline algorithms list [--all] [--json]
       paceline algorithms add FILE [--json]      keeps it, and prints its id, as specs name it
       paceline algorithms show ID [--json]       its text
       paceline algorithms check FILE [--json]    what it declares; exit code 2 with FILE:line:column when it is none
       paceline algorithms skeleton FILE|ID       a plug-in in C++ to be filled in, with its text beside it
       paceline algorithms delete|restore ID      for 24 hours it can be restored

Algorithms that you write in TypeScript or JavaScript (docs/own-algorithms.md). paceline run takes them by their files, too.

  --all            also versions that have a newer one
  --data-dir DIR   where they are kept (default: $PACELINE_DATA_DIR, else ./data: the server's)
  --server URL     ask a server that runs, with the token of $PACELINE_TOKEN if there is one
`;

/** Who is asked: a data folder of this process's own, or a server that has it. */
interface Shelf {
  readonly list: () => Promise<readonly OwnAlgorithm[]>;
  readonly add: (text: string) => Promise<OwnAlgorithm>;
  readonly get: (id: string) => Promise<OwnAlgorithmText>;
  readonly act: (action: 'delete' | 'restore', id: string) => Promise<void>;
  readonly close: () => Promise<void>;
}

function folderShelf(dataDir: string): Shelf {
  const lab = openFolder(dataDir);
  const { ownAlgorithms, organiser } = lab;
  return {
    list: () => Promise.resolve(ownAlgorithms.list()),
    add: async (text) => (await ownAlgorithms.add(text, 'the text')).algorithm,
    get: async (id) => Promise.resolve(ownAlgorithms.withText(id)),
    act: async (action, id) => {
      if (action === 'delete') return organiser.deleteAlgorithm(id);
      ownAlgorithms.restore(id);
      ownAlgorithms.get(id);
    },
    close: () => lab.close(),
  };
}

/** Told as one's own engine tells it. */
function asRefused(error: unknown): never {
  if (!(error instanceof ServerRefused) || error.problem.code !== 'ALGORITHM_REFUSED') throw error;
  throw new AppError('ALGORITHM_REFUSED', error.problem.detail, error.problem);
}

function serverShelf(server: string): Shelf {
  const ask = <T>(path: string, schema: z.ZodType<T> | null, question: Question = {}): Promise<T> =>
    askServer(server, `/algorithms${path}`, schema, question);
  const text = 'text/plain; charset=utf-8';
  return {
    list: async () => (await ask('', OwnAlgorithmList)).algorithms,
    add: (body) => ask('', OwnAlgorithm, { method: 'POST', body, type: text }).catch(asRefused),
    get: (id) => ask(`/${id}`, OwnAlgorithmText),
    act: (action, id) =>
      action === 'delete' ? ask(`/${id}`, null, { method: 'DELETE' }) : ask(`/${id}/restore`, null, { method: 'POST' }),
    close: () => Promise.resolve(),
  };
}

interface Asked {
  readonly subject: string | undefined;
  readonly all: boolean;
  readonly json: boolean;
  readonly shelf: () => Shelf;
}

/** Says no more than the program's own sentence, at its place in its file. */
const placed = (file: string, { message, at }: OwnProblem): string =>
  `${file}${at === null ? '' : `:${at.line}:${at.column}`}: ${message}\n`;

async function read(file: string): Promise<string> {
  const bytes = await readFile(file).catch((error: unknown) => {
    throw new UsageError(`${file}: ${error instanceof Error ? error.message : String(error)}`);
  });
  return ownTextOf(bytes, file);
}

/** What the text of a file declares; null: it has been told what is wrong with it. */
async function checkedFile(
  file: string,
): Promise<{ readonly text: string; readonly declaration: OwnDeclaration } | null> {
  const text = await read(file);
  const engines = new OwnEngines();
  try {
    const described = await engines.describe(text);
    if (described.ok) return { text, declaration: described.declaration };
    process.stderr.write(placed(file, described.problem));
    return null;
  } finally {
    await engines.close();
  }
}

const parameter = ({ name, default: value, unit, min, max, help }: ParamDescriptor): string[] => {
  const range = min === null && max === null ? '' : ` (${min ?? '…'} to ${max ?? '…'})`;
  return [`    ${name} = ${String(value)}${unit === '' ? '' : ` ${unit}`}${range}`, help];
};

function inWords({ name, summary, source, needs, params, internals }: OwnDeclaration): string {
  const needed = Object.entries(needs).map(([need, value]) => `${need} ${String(value)}`);
  const parts = [
    `${name}${summary === '' ? '' : `: ${summary}`}`,
    ...(source === '' ? [] : [`Source: ${source}`]),
    `Needs: ${needed.join(', ')}`,
    ...(params.length === 0 ? [] : [`Parameters\n${table(params.map(parameter)).trimEnd()}`]),
    ...(internals.length === 0
      ? []
      : [
          `Internals\n${table(
            internals.map(({ name: own, label, unit, states }) => [
              `    ${own}`,
              `${label}${unit === '' ? '' : `, ${unit}`}${states.length === 0 ? '' : `: ${states.join(', ')}`}`,
            ]),
          ).trimEnd()}`,
        ]),
  ];
  return `${parts.join('\n')}\n`;
}

const printed = (value: unknown): void => void process.stdout.write(`${JSON.stringify(value, null, 2)}\n`);

async function check({ subject = '', json }: Asked): Promise<number> {
  const found = await checkedFile(subject);
  if (found === null) return EXIT.badInput;
  if (json) printed(found.declaration);
  else process.stdout.write(inWords(found.declaration));
  return EXIT.ok;
}

/** With the data folder or the server, which is let go of whatever happens. */
async function withShelf(asked: Asked, use: (shelf: Shelf) => Promise<void>): Promise<number> {
  const shelf = asked.shelf();
  try {
    await use(shelf);
    return EXIT.ok;
  } finally {
    await shelf.close();
  }
}

const list = (asked: Asked): Promise<number> =>
  withShelf(asked, async (shelf) => {
    const every = await shelf.list();
    const newest = (one: OwnAlgorithm): boolean =>
      !every.some(({ declaration, version }) => declaration.name === one.declaration.name && version > one.version);
    const shown = asked.all ? every : every.filter(newest);
    if (asked.json) printed({ algorithms: shown });
    else
      process.stdout.write(
        table([
          ['id', 'version', 'kept', 'name'],
          ...shown.map(({ id, version, created_at, declaration }) => [
            id,
            String(version),
            created_at.slice(0, 10),
            declaration.name,
          ]),
        ]),
      );
  });

async function add(asked: Asked): Promise<number> {
  const file = asked.subject ?? '';
  const text = await read(file);
  try {
    return await withShelf(asked, async (shelf) => {
      const algorithm = await shelf.add(text);
      if (asked.json) printed(algorithm);
      else process.stdout.write(`${algorithm.id}  “${algorithm.declaration.name}”, version ${algorithm.version}\n`);
    });
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'ALGORITHM_REFUSED') throw error;
    const { where = '' } = error.details;
    process.stderr.write(`${file}${/^\d+:\d+$/.test(where) ? `:${where}` : ''}: ${error.message}\n`);
    return EXIT.badInput;
  }
}

const ownId = (subject: string): string => {
  if (!isOwnCca(subject))
    throw new UsageError(`algorithms: ${subject} is no id of an own algorithm: own- and 40 digits`);
  return subject;
};

const show = (asked: Asked): Promise<number> =>
  withShelf(asked, async (shelf) => {
    const algorithm = await shelf.get(ownId(asked.subject ?? ''));
    if (asked.json) printed(algorithm);
    else process.stdout.write(algorithm.text);
  });

/** Of a file that is read here, or of one that is kept. */
async function skeleton(asked: Asked): Promise<number> {
  const { subject = '' } = asked;
  if (isOwnCca(subject))
    return withShelf(asked, async (shelf) => {
      const { declaration, text } = await shelf.get(subject);
      process.stdout.write(skeletonOf(declaration, text));
    });
  const found = await checkedFile(subject);
  if (found === null) return EXIT.badInput;
  process.stdout.write(skeletonOf(found.declaration, found.text));
  return EXIT.ok;
}

const acting =
  (action: 'delete' | 'restore') =>
  (asked: Asked): Promise<number> =>
    withShelf(asked, async (shelf) => {
      const id = ownId(asked.subject ?? '');
      await shelf.act(action, id);
      process.stdout.write(
        action === 'delete'
          ? `${id} is deleted. For 24 hours: paceline algorithms restore ${id}\n`
          : `${id} is there again\n`,
      );
    });

const COMMANDS: ReadonlyMap<string, (asked: Asked) => Promise<number>> = new Map([
  ['list', list],
  ['add', add],
  ['show', show],
  ['check', check],
  ['skeleton', skeleton],
  ['delete', acting('delete')],
  ['restore', acting('restore')],
]);

export async function algorithms(words: readonly string[]): Promise<number> {
  const { values, positionals } = parseWords({
    args: [...words],
    allowPositionals: true,
    options: {
      all: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      'data-dir': { type: 'string' },
      server: { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help === true) {
    process.stdout.write(HELP);
    return EXIT.ok;
  }
  const [name = 'list', subject, ...more] = positionals;
  const command = COMMANDS.get(name);
  if (command === undefined) throw new UsageError(`algorithms: ${[...COMMANDS.keys()].join(', ')}; not ${name}`);
  if ((subject === undefined) !== (name === 'list') || more.length > 0)
    throw new UsageError(`algorithms ${name}: ${name === 'list' ? 'takes no more words' : 'of which one?'}`);
  const { server, all, json, 'data-dir': dataDir } = values;
  if (server !== undefined && !URL.canParse(server)) throw new UsageError(`--server: ${server} is no address`);
  const folder = resolve(dataDir ?? process.env['PACELINE_DATA_DIR'] ?? 'data');
  return command({
    subject,
    all,
    json,
    shelf: () => (server === undefined ? folderShelf(folder) : serverShelf(server)),
  });
}
