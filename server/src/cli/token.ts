// Who may use a server, and what was done there: in a data folder, or at a server that has it.
import {
  ACCESS_LIMITS,
  DeedList,
  DeedQuery,
  MadeToken,
  NewToken,
  ROLES,
  TokenList,
  TokenRecord,
  type Deed,
} from '#protocol/access';
import { checked, parseWords, UsageError } from '../config.ts';
import { deskAt, done, notedIn, PLACE, PLACE_HELP, type Job } from './access-desk.ts';
import { askServer, openFolder } from './desk.ts';
import { EXIT } from './exit.ts';
import { table } from './table.ts';

const { days, page } = ACCESS_LIMITS;

const HELP = `Usage: paceline token add NAME [--role ROLE] [--days N]
       paceline token list
       paceline token revoke NAME|ID

Tokens for persons and programs at a server that asks for one (docs/access.md). A new one is printed once; what is kept is
its hash. The operator's own token, of serve --token-file, is none of them.

  NAME             of the person or the program
  --role ROLE      viewer: looks; author (default): runs, edits and deletes their own; operator: everything
  --days N         for which it holds, up to ${days.max} (default ${days.default})
${PLACE_HELP}`;

const DEEDS_HELP = `Usage: paceline deeds [--last N]

What was done at a server, the newest first: when, by whose token, what was asked, how it was answered. Requests that only
look are not noted, refused ones are. The last ${ACCESS_LIMITS.deeds} are remembered.

  --last N         so many, up to ${page.max} (default ${page.default})
${PLACE_HELP}`;

interface Desk {
  readonly list: () => Promise<readonly TokenRecord[]>;
  readonly add: (token: NewToken) => Promise<MadeToken>;
  readonly revoke: (id: string) => Promise<TokenRecord>;
  readonly deeds: (limit: number) => Promise<readonly Deed[]>;
  readonly close: () => Promise<void>;
}

function folderDesk(dataDir: string): Desk {
  const lab = openFolder(dataDir);
  const { access } = lab;
  const note = notedIn(access);
  return {
    list: () => Promise.resolve(access.list()),
    add: (token) => {
      const made = access.add(token);
      note(`paceline token add (${made.name}, ${made.role})`);
      return Promise.resolve(made);
    },
    revoke: (id) => {
      const revoked = access.revoke(id);
      note(`paceline token revoke (${revoked.name})`);
      return Promise.resolve(revoked);
    },
    deeds: (limit) => Promise.resolve(access.deeds(undefined, limit)),
    close: () => lab.close(),
  };
}

const serverDesk = (server: string): Desk => ({
  list: async () => (await askServer(server, '/tokens', TokenList)).tokens,
  add: (token) => askServer(server, '/tokens', MadeToken, { method: 'POST', body: JSON.stringify(token) }),
  revoke: (id) => askServer(server, `/tokens/${id}`, TokenRecord, { method: 'DELETE' }),
  deeds: async (limit) => (await askServer(server, `/deeds?limit=${limit}`, DeedList)).deeds,
  close: () => Promise.resolve(),
});

const DESKS = { folder: folderDesk, server: serverDesk };

const lineOf = ({ id, name, role, expires_at, used_at }: TokenRecord): string[] => [
  id,
  name,
  role,
  expires_at.slice(0, 10),
  used_at ?? 'never',
];

function jobOf(words: readonly string[], options: { readonly role?: string; readonly days?: string }): Job<Desk> {
  const [what = 'list', name, ...more] = words;
  if (more.length > 0) throw new UsageError(`token: one at a time: ${more.join(' ')}`);
  switch (what) {
    case 'list':
      return async (desk) => {
        const tokens = await desk.list();
        const head = ['id', 'name', 'role', 'holds until', 'last used'];
        const text =
          tokens.length === 0 ? 'Nobody has a token but the operator.\n' : table([head, ...tokens.map(lineOf)]);
        return { made: { tokens }, text };
      };
    case 'add': {
      const { role, days: held } = options;
      const given = { name: name ?? '', role, ...(held === undefined ? {} : { days: Number(held) }) };
      const token = checked(NewToken, given, (key) => (key === 'name' ? 'token add NAME' : `--${key}`));
      return async (desk) => {
        const made = await desk.add(token);
        const until = made.expires_at.slice(0, 10);
        return { made, text: `${made.token}\n${made.name}, ${made.role}, until ${until}. It is not shown again.\n` };
      };
    }
    case 'revoke':
      if (name === undefined) throw new UsageError('token revoke: whose? A name or an id of token list');
      return async (desk) => {
        const tokens = await desk.list();
        const found = tokens.find(({ id }) => id === name) ?? tokens.find((token) => token.name === name);
        if (found === undefined) throw new UsageError(`token revoke: there is no token ${name}`);
        const made = await desk.revoke(found.id);
        return { made, text: `${made.name} has no token any more.\n` };
      };
    default:
      throw new UsageError(`token ${what}: add, list or revoke`);
  }
}

export async function token(words: readonly string[]): Promise<number> {
  const { values, positionals } = parseWords({
    args: [...words],
    allowPositionals: true,
    options: { ...PLACE, role: { type: 'string' }, days: { type: 'string' } },
  });
  if (values.help === true) {
    process.stdout.write(HELP);
    return EXIT.ok;
  }
  const { role, days: held, server, json, 'data-dir': dataDir } = values;
  if (role !== undefined && !ROLES.some((known) => known === role))
    throw new UsageError(`--role: ${role} is none of ${ROLES.join(', ')}`);
  const job = jobOf(positionals, {
    ...(role === undefined ? {} : { role }),
    ...(held === undefined ? {} : { days: held }),
  });
  return await done(deskAt({ server, dataDir }, DESKS), json, job);
}

export async function deeds(words: readonly string[]): Promise<number> {
  const { values } = parseWords({
    args: [...words],
    options: { ...PLACE, last: { type: 'string', default: String(page.default) } },
  });
  if (values.help === true) {
    process.stdout.write(DEEDS_HELP);
    return EXIT.ok;
  }
  const { limit } = checked(DeedQuery, { limit: values.last }, () => '--last');
  return await done(
    deskAt({ server: values.server, dataDir: values['data-dir'] }, DESKS),
    values.json,
    async (desk) => {
      const list = await desk.deeds(limit);
      const head = ['at', 'by', 'role', 'answer', 'what'];
      const lines = list.map(({ at, by, role, what, status }) => [
        at.slice(0, 19),
        by ?? 'the operator',
        role,
        String(status),
        what,
      ]);
      return { made: { deeds: list }, text: lines.length === 0 ? 'Nothing is noted.\n' : table([head, ...lines]) };
    },
  );
}
