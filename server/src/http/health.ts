import { Doctor, Health } from '#protocol/api';
import { EngineListing } from '#protocol/cca';
import { examine } from '#bridge/doctor';
import type { Lab } from '../lab.ts';
import { VERSION } from '../version.ts';
import { defineRoute, type Route } from './route.ts';

export const healthRoutes = (lab: Lab): Route[] => [
  defineRoute({
    method: 'get',
    path: '/health',
    tag: 'server',
    summary: 'Whether the server is there, and what it runs',
    answers: { 200: { description: 'It is', schema: Health } },
    errors: ['ENGINE_MISSING'],
    handle: async (): Promise<Health> => {
      const { engine_version } = await lab.engine.listing();
      return { status: 'ok', version: VERSION, engine_version };
    },
  }),
  defineRoute({
    method: 'get',
    path: '/doctor',
    tag: 'server',
    summary: 'What this machine can do, and what would mend the rest',
    answers: { 200: { description: 'One entry per check', schema: Doctor } },
    errors: [],
    handle: async (): Promise<Doctor> => ({ version: VERSION, checks: await examine(lab.dataDir, lab.bpf) }),
  }),
  defineRoute({
    method: 'get',
    path: '/ccas',
    tag: 'engine',
    summary: 'The CCAs and queue disciplines of the engine, with their parameters',
    answers: { 200: { description: 'As the native programs list them', schema: EngineListing } },
    errors: ['ENGINE_MISSING'],
    handle: () => lab.engine.listing(),
  }),
];
