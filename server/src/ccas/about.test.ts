// What is said of the algorithms: of every one that the engine lists, and a short run of it to look at.
import { readdirSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ExperimentList } from '#protocol/api';
import type { EngineListing } from '#protocol/cca';
import { CcaAbouts, CcaNotes, CcaSample } from '#protocol/cca-about';
import { TestServer } from '../testing/server.ts';
import { notesIn } from './notes.ts';
import { aboutAll, sampleLinks } from './read-about.ts';
import { sampleSpec } from './sample.ts';

let server: TestServer;
let listing: EngineListing;
beforeAll(async () => {
  server = await TestServer.start();
  listing = await server.lab.engine.listing();
});
afterAll(() => server.close());

const ask = (id: string, body: unknown): Promise<Response> => server.post(`/ccas/${id}/sample`, body);

describe('what is said of an algorithm', () => {
  it('is said of every one that the engine lists, and of none that it does not', async () => {
    const { about, links } = await server.json('/ccas/about', CcaAbouts);
    expect(about.map(({ id }) => id)).toEqual(listing.ccas.map(({ id }) => id));
    expect(links.map(({ id }) => id)).toEqual(sampleLinks().map(({ id }) => id));
    const files = readdirSync(new URL('../../ccas/', import.meta.url)).filter((name) => name.endsWith('.about.json'));
    const ids = new Set(about.map(({ id }) => id));
    for (const name of files.map((file) => file.replace('.about.json', '')))
      // The kernel's are listed where they can be had.
      if (!name.startsWith('kernel-')) expect(ids).toContain(name);
  });

  it('names every state of its first ribbon, and no state that it does not have', () => {
    for (const about of aboutAll(listing)) {
      const cca = listing.ccas.find(({ id }) => id === about.id);
      const ribbons = cca?.internals.filter(({ states }) => states.length > 0) ?? [];
      expect(Object.keys(about.states), about.id).toEqual(expect.arrayContaining(ribbons[0]?.states ?? []));
      const known = ribbons.flatMap(({ states }) => states);
      for (const state of Object.keys(about.states)) expect(known, about.id).toContain(state);
    }
  });

  it('leads to an algorithm of ours where a real stack runs it', () => {
    const ours = new Set(listing.ccas.filter(({ kind }) => kind === 'sender').map(({ id }) => id));
    for (const { id, of } of aboutAll(listing)) {
      const stack = listing.ccas.find((cca) => cca.id === id)?.kind;
      expect(of === undefined ? stack !== 'quic' && stack !== 'kernel' : ours.has(of), id).toBe(true);
    }
  });

  it('asks for a discipline that there is', () => {
    for (const { queue } of aboutAll(listing))
      if (queue !== undefined) expect(listing.queues.map(({ id }) => id)).toContain(queue.id);
  });
});

describe('the page of the documentation', () => {
  it('is shown in parts, without those that are told otherwise and without pictures', () => {
    const text =
      '# X\n\n**Believes:** a.\n\n![p](figures/x.svg)\n\n**Is weak:**\n\n- b\n\n**Checked** (c)\n\n| a |\n|---|\n\n**Sources:** d\n';
    expect(notesIn(text)).toEqual([
      { title: 'Where it is weak', text: '- b' },
      { title: 'What was measured', text: '(c)\n\n| a |\n|---|' },
    ]);
  });

  it('is there for every algorithm of ours, and for no other', async () => {
    for (const { id, kind } of listing.ccas) {
      const { page, notes } = await server.json(`/ccas/${id}/notes`, CcaNotes);
      if (kind === 'sender')
        expect(
          notes.map(({ title }) => title),
          id,
        ).toContain('Where it is weak');
      expect(page === null, id).toBe(!['sender', 'oracle', 'ideal'].includes(kind));
    }
    expect((await fetch(server.url('/ccas/nobody/notes'))).status).toBe(404);
    expect((await fetch(server.url('/ccas/..%2F..%2FREADME/notes'))).status).toBe(400);
  });
});

describe('a sample', () => {
  it('of each algorithm over each link is a spec that can be planned', async () => {
    for (const cca of listing.ccas.filter(({ engines }) => engines.includes('virtual')))
      for (const { id } of sampleLinks()) {
        const plan = await server.lab.experiments.plan(sampleSpec(cca, { link: id, params: {} }));
        expect(plan.runs, `${cca.id} over ${id}`).toBe(1);
      }
  });

  it('runs, is made once, and is put away', async () => {
    const first = CcaSample.parse(await (await ask('cubic', {})).json());
    const again = CcaSample.parse(await (await ask('cubic', { params: {} })).json());
    expect(again).toEqual(first);
    await server.reaches(first.run, 'done');
    const listed = await server.json('/experiments', ExperimentList);
    expect(listed.experiments.map(({ id }) => id)).not.toContain(first.experiment);
    const all = await server.json('/experiments?archived=true', ExperimentList);
    expect(all.experiments.map(({ id }) => id)).toContain(first.experiment);
    const other = CcaSample.parse(await (await ask('cubic', { params: { beta: 0.5 } })).json());
    expect(other.run).not.toBe(first.run);
  });

  it('that was taken out of the archive stays out', async () => {
    const { experiment } = CcaSample.parse(await (await ask('vegas', {})).json());
    server.lab.organiser.change('experiment', experiment, { archived: false });
    await ask('vegas', {});
    expect(server.lab.organiser.get('experiment', experiment).archived).toBe(false);
  });

  it('is refused with the reason', async () => {
    expect((await ask('nobody', {})).status).toBe(404);
    expect((await ask('cubic', { params: { beta: 7 } })).status).toBe(422);
    expect((await ask('cubic', { params: { gamma: 1 } })).status).toBe(422);
    expect((await ask('cubic', { link: 'moon' })).status).toBe(400);
    expect((await ask('cubic', { duration_s: 9999 })).status).toBe(400);
    const quic = listing.ccas.find(({ kind }) => kind === 'quic');
    if (quic !== undefined) expect((await ask(quic.id, {})).status).toBe(422);
  });
});
