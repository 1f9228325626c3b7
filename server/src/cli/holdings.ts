import { HoldingList, type Holding } from '#protocol/holdings';
import { parseWords } from '../config.ts';
import { sizeText } from '../quota.ts';
import { deskAt, done, PLACE, PLACE_HELP } from './access-desk.ts';
import { askServer, openFolder } from './desk.ts';
import { EXIT } from './exit.ts';
import { table } from './table.ts';

const HELP = `Usage: paceline holdings

How much of the data folder is whose, and how much each may hold (serve --max-data-each, docs/access.md). Authors are told what they hold
themselves.

${PLACE_HELP}`;

interface Desk {
  readonly read: () => Promise<HoldingList>;
  readonly close: () => Promise<void>;
}

function folderDesk(dataDir: string): Desk {
  const lab = openFolder(dataDir);
  return {
    read: async () => ({ most: lab.holdings.most, holdings: await lab.holdings.all() }),
    close: () => lab.close(),
  };
}

const serverDesk = (server: string): Desk => ({
  read: () => askServer(server, '/holdings', HoldingList),
  close: () => Promise.resolve(),
});

const lineOf = ({ name, bytes, queued_bytes, deleted_bytes }: Holding): string[] => [
  name ?? 'the operator’s own token',
  sizeText(bytes),
  sizeText(queued_bytes),
  sizeText(deleted_bytes),
];

export async function holdings(words: readonly string[]): Promise<number> {
  const { values } = parseWords({ args: [...words], options: PLACE });
  if (values.help === true) {
    process.stdout.write(HELP);
    return EXIT.ok;
  }
  const { server, json, 'data-dir': dataDir } = values;
  return await done(deskAt({ server, dataDir }, { folder: folderDesk, server: serverDesk }), json, async (desk) => {
    const made = await desk.read();
    const head = ['who', 'holds', 'of it to be made', 'of it deleted'];
    const rows = made.holdings.length === 0 ? 'Nobody holds anything.\n' : table([head, ...made.holdings.map(lineOf)]);
    const bound = made.most === null ? '' : `Each may hold ${sizeText(made.most)}, but operators.\n`;
    return { made, text: bound + rows };
  });
}
