import { createWriteStream } from 'node:fs';
import { resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { shareFileName } from '#analysis/share-document';
import { ShareSlug } from '#protocol/ids';
import { NewShare } from '#protocol/share';
import { checked, parseWords, UsageError } from '../config.ts';
import { allRoutes } from '../http/app.ts';
import { asker } from '../http/ask.ts';
import { openLab } from '../lab.ts';
import { createLog } from '../log.ts';
import { ShareFile } from '../shares/share-file.ts';
import { Shares } from '../shares/share-service.ts';
import { EXIT } from './exit.ts';
import { table } from './table.ts';

const HELP = `Usage: paceline share ADDRESS --title TITLE [--note NOTE] [--slug SLUG]
       paceline share SLUG --out FILE.html
       paceline share --list [--json]

A share is a view of the page that never changes, whatever becomes of what it shows. The server has it at /s/SLUG.

  ADDRESS          of the view, as in the browser: /e/ID, /r/ID?t=2,5, /traces/ID, /overlay?runs=A,B, /traces/compare?ids=A,B
  --title TITLE    its name; SLUG is made from it unless --slug says otherwise
  --note NOTE      what there is to say of it; an empty line begins a paragraph
  --out FILE       writes a share as one HTML file that opens without a server, to look around in
  --list           all shares, the newest first; as JSON with --json
  --data-dir DIR   where the runs are (default: $PACELINE_DATA_DIR, else ./data: the server's)
`;

interface Asked {
  readonly what: string | undefined;
  readonly list: boolean;
  readonly out: string | undefined;
  readonly title: string | undefined;
}

/** Which of the three it is to be. */
function jobOf({ what, list, out, title }: Asked): 'list' | 'file' | 'freeze' {
  if (list) {
    if (what !== undefined) throw new UsageError('share: --list lists all of them');
    return 'list';
  }
  if (what === undefined) throw new UsageError('share: which view? An address, or the name of a share with --out');
  if (ShareSlug.safeParse(what).success) {
    if (out === undefined) throw new UsageError(`share: write ${what} where? --out FILE.html`);
    return 'file';
  }
  if (title === undefined) throw new UsageError('share: --title is needed: what is it called?');
  return 'freeze';
}

export async function share(words: readonly string[]): Promise<number> {
  const { values, positionals } = parseWords({
    args: [...words],
    allowPositionals: true,
    options: {
      title: { type: 'string' },
      note: { type: 'string' },
      slug: { type: 'string' },
      out: { type: 'string' },
      list: { type: 'boolean' },
      json: { type: 'boolean' },
      'data-dir': { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help === true) {
    process.stdout.write(HELP);
    return EXIT.ok;
  }
  const [what, ...more] = positionals;
  if (more.length > 0) throw new UsageError(`share: one view at a time: ${more.join(' ')}`);
  const { title, note, slug, out, list = false, json = false } = values;
  const job = jobOf({ what, list, out, title });
  const asked = job === 'freeze' ? checked(NewShare, { address: what, title, note, slug }, (key) => `--${key}`) : null;
  const lab = openLab({
    dataDir: resolve(values['data-dir'] ?? process.env['PACELINE_DATA_DIR'] ?? 'data'),
    workers: 1,
    log: createLog('warn'),
  });
  try {
    const shares = new Shares(lab);
    const ask = asker(allRoutes(lab), lab.store.private)('all');
    if (job === 'list') {
      const all = shares.list();
      const rows = all.map((one) => [one.slug, one.created_at.slice(0, 10), one.kind, one.title]);
      process.stdout.write(json ? `${JSON.stringify({ shares: all }, null, 2)}\n` : table(rows));
      return EXIT.ok;
    }
    const made =
      asked === null
        ? shares.get(what ?? '')
        : await shares.freeze(asked, { ask, signal: new AbortController().signal });
    if (asked !== null) process.stdout.write(`/s/${made.slug}\n`);
    if (out !== undefined) {
      const file = out === '' ? shareFileName(made.slug) : out;
      const pieces = new ShareFile(shares).write(made.slug, null);
      await pipeline(Readable.from(pieces), createWriteStream(resolve(file)));
      process.stdout.write(`${file}\n`);
    }
    return EXIT.ok;
  } finally {
    await lab.close();
  }
}
