// What persons may whom a proxy in front of the server names: in a data folder, or at a server that has it.
import { ROLES, SetUser, UserList, UserName, UserRecord, UserRole } from '#protocol/access';
import { checked, parseWords, UsageError } from '../config.ts';
import { deskAt, done, notedIn, PLACE, PLACE_HELP, type Job } from './access-desk.ts';
import { askServer, openFolder } from './desk.ts';
import { EXIT } from './exit.ts';
import { table } from './table.ts';

const HELP = `Usage: paceline user list
       paceline user set NAME --role ROLE
       paceline user remove NAME

What persons may who have signed in at a proxy in front of the server (serve --trusted-proxy, docs/access.md). Of whom nothing is
said here, serve --default-role says it.

  NAME             as the proxy writes it, to the letter
  --role ROLE      viewer: looks; author: runs, edits and deletes their own; operator: everything; none: is turned away
${PLACE_HELP}`;

interface Desk {
  readonly list: () => Promise<readonly UserRecord[]>;
  readonly set: (user: SetUser) => Promise<UserRecord>;
  readonly remove: (name: string) => Promise<UserRecord>;
  readonly close: () => Promise<void>;
}

function folderDesk(dataDir: string): Desk {
  const lab = openFolder(dataDir);
  const { access } = lab;
  const note = notedIn(access);
  return {
    list: () => Promise.resolve(access.users()),
    set: (user) => {
      const set = access.setUser(user);
      note(`paceline user set (${set.name}, ${set.role})`);
      return Promise.resolve(set);
    },
    remove: (name) => {
      const removed = access.removeUser(name);
      note(`paceline user remove (${removed.name})`);
      return Promise.resolve(removed);
    },
    close: () => lab.close(),
  };
}

const serverDesk = (server: string): Desk => ({
  list: async () => (await askServer(server, '/users', UserList)).users,
  set: (user) => askServer(server, '/users', UserRecord, { method: 'POST', body: JSON.stringify(user) }),
  remove: (name) => askServer(server, `/users/${encodeURIComponent(name)}`, UserRecord, { method: 'DELETE' }),
  close: () => Promise.resolve(),
});

const lineOf = ({ name, role, set_at, seen_at }: UserRecord): string[] => [
  name,
  role,
  set_at.slice(0, 10),
  seen_at ?? 'not since',
];

function jobOf(words: readonly string[], role: string | undefined): Job<Desk> {
  const [what = 'list', name, ...more] = words;
  if (more.length > 0) throw new UsageError(`user: one at a time: ${more.join(' ')}`);
  switch (what) {
    case 'list':
      return async (desk) => {
        const users = await desk.list();
        const head = ['name', 'role', 'set', 'last seen'];
        const text = users.length === 0 ? 'Nothing is said of anybody.\n' : table([head, ...users.map(lineOf)]);
        return { made: { users }, text };
      };
    case 'set': {
      if (role === undefined) throw new UsageError(`user set: what may they? --role none|${ROLES.join('|')}`);
      if (!UserRole.safeParse(role).success)
        throw new UsageError(`--role: ${role} is none of none, ${ROLES.join(', ')}`);
      const user = checked(SetUser, { name: name ?? '', role }, () => 'user set NAME');
      return async (desk) => {
        const made = await desk.set(user);
        return {
          made,
          text: made.role === 'none' ? `${made.name} is turned away.\n` : `${made.name}: ${made.role}.\n`,
        };
      };
    }
    case 'remove': {
      const whom = checked(UserName, name ?? '', () => 'user remove NAME');
      return async (desk) => {
        const made = await desk.remove(whom);
        return { made, text: `Nothing is said of ${made.name} any more.\n` };
      };
    }
    default:
      throw new UsageError(`user ${what}: list, set or remove`);
  }
}

export async function user(words: readonly string[]): Promise<number> {
  const { values, positionals } = parseWords({
    args: [...words],
    allowPositionals: true,
    options: { ...PLACE, role: { type: 'string' } },
  });
  if (values.help === true) {
    process.stdout.write(HELP);
    return EXIT.ok;
  }
  const { role, server, json, 'data-dir': dataDir } = values;
  const job = jobOf(positionals, role);
  return await done(deskAt({ server, dataDir }, { folder: folderDesk, server: serverDesk }), json, job);
}
