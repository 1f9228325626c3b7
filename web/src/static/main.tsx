// The page of a site without a server (docs/static-site.md): what it asks is answered here, then it begins as everywhere.
import { answerRequestsWith } from '../api/ask';
import { connectThrough } from '../live/socket';
import { answer } from './answer';
import { serveDownloads } from './downloads';
import { install } from './install';
import { resume } from './kept/queue';
import { LocalSocket } from './local-socket';

answerRequestsWith(answer);
connectThrough(() => new LocalSocket() as unknown as WebSocket);
serveDownloads();
install();
await import('../main');
await resume();
