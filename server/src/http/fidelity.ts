import { readFile } from 'node:fs/promises';
import { FidelityReport } from '#protocol/fidelity';
import { defineRoute, type Route } from './route.ts';

const FILE = new URL('../../../docs/fidelity.json', import.meta.url);

export const fidelityRoutes = (): Route[] => [
  defineRoute({
    method: 'get',
    path: '/fidelity',
    tag: 'engine',
    summary: 'What each CCA was checked against, and the result',
    description: 'As `npm run fidelity -- --write` kept it, with the version of the engine that was checked.',
    answers: { 200: { description: 'One finding per check', schema: FidelityReport } },
    errors: [],
    handle: async (): Promise<FidelityReport> => FidelityReport.parse(JSON.parse(await readFile(FILE, 'utf8'))),
  }),
];
