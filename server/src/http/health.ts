import { Doctor, Health, Ready } from '#protocol/api';
import { EngineListing } from '#protocol/cca';
import { examine } from '#bridge/doctor';
import { backupCheck } from '../backup/last.ts';
import { dataFolder, retentionCheck, workersCheck } from '../data-folder.ts';
import { AppError } from '../errors.ts';
import type { Lab } from '../lab.ts';
import { atOnce } from '../remember.ts';
import { VERSION } from '../version.ts';
import { defineRoute, type Route } from './route.ts';

export const healthRoutes = (lab: Lab): Route[] => {
  const doctor = atOnce(async () => [
    ...(await examine(lab.dataDir, lab.bpf)),
    await dataFolder(lab.quota),
    retentionCheck(lab),
    backupCheck(lab.dataDir),
    ...[workersCheck(lab)].filter((check) => check !== null),
  ]);
  return [
    defineRoute({
      method: 'get',
      path: '/health',
      needs: 'anyone',
      tag: 'server',
      summary: 'Whether the server is alive, and what it runs',
      description:
        'It answers as long as it lives, whatever state the machine is in: `GET /ready` says whether runs are made.',
      answers: { 200: { description: 'It is', schema: Health } },
      errors: [],
      handle: async (): Promise<Health> => {
        const listing = await lab.engine.listing().catch(() => null);
        return { status: 'ok', version: VERSION, engine_version: listing?.engine_version ?? null };
      },
    }),
    defineRoute({
      method: 'get',
      path: '/ready',
      needs: 'anyone',
      tag: 'server',
      summary: 'Whether runs are taken and made',
      description:
        'While something is wrong with the machine, 503 with the reason; the queue waits and goes on by itself.',
      answers: { 200: { description: 'They are', schema: Ready } },
      errors: ['NOT_READY', 'ENGINE_MISSING'],
      handle: async (): Promise<Ready> => {
        const hold = lab.scheduler.hold.current;
        if (hold !== null) throw new AppError('NOT_READY', hold.reason, { hint: hold.hint });
        await lab.engine.listing();
        return { status: 'ready', version: VERSION };
      },
    }),
    defineRoute({
      method: 'get',
      path: '/doctor',
      tag: 'server',
      summary: 'What this machine can do, and what would mend the rest',
      answers: { 200: { description: 'One entry per check', schema: Doctor } },
      errors: [],
      handle: async (): Promise<Doctor> => ({ version: VERSION, checks: await doctor() }),
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
};
