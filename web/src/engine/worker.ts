import { serveEngine } from '#engine/serve';

serveEngine(self);
