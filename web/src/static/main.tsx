// The page of a site without a server (docs/static-site.md): what it asks is answered here, then it begins as everywhere.
import { answerRequestsWith } from '../api/ask';
import { connectThrough } from '../live/socket';
import { carryAlong } from '../share/link';
import { answer } from './answer';
import { serveDownloads } from './downloads';
import { install } from './install';
import { resume } from './kept/queue';
import { LocalSocket } from './local-socket';

answerRequestsWith(answer);
connectThrough(() => new LocalSocket() as unknown as WebSocket);
serveDownloads();
carryAlong(async (address) => (await import('./carry')).withCarried(address));
install();
// Nothing here waits for others as a whole: what they need may be in one file with this (web/groups.ts), and would wait for them in turn.
void import('../main').then(() =>
  // Why nothing kept can be opened is the answer to whatever asks for it.
  resume().catch(() => undefined),
);
