// What an operator watches: that it is told, that nobody can make it grow without end, and that the shipped dashboard and rules ask for it.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { QUICK, TestServer } from '../testing/server.ts';

const deploy = (file: string): string => fileURLToPath(new URL(`../../../deploy/${file}`, import.meta.url));

let server: TestServer;
let told = '';
beforeAll(async () => {
  server = await TestServer.start();
  const experiment = await server.submit(QUICK);
  await server.over(experiment);
  for (let i = 0; i < 3; i++) await fetch(server.url(`/experiments/${experiment.id}`));
  for (const path of ['/experiments/nothing-like-it', '/nowhere', '/runs/%00', '/../../etc/passwd'])
    for (const method of ['GET', 'PURGE']) await fetch(server.url(path), { method }).catch(() => undefined);
  await fetch(new URL('/a-page-that-is-not-there', server.page));
  told = await (await fetch(new URL('/metrics', server.page))).text();
});
afterAll(() => server.close());

const names = (): string[] =>
  [...told.matchAll(/^(\w+?)(?:_bucket)?(?:\{| )/gm)].flatMap(([, name]) => (name === undefined ? [] : [name]));
/** With the buckets of histograms, as queries write them. */
const series = (): ReadonlySet<string> => new Set([...told.matchAll(/^(\w+)(?:\{| )/gm)].map(([, name]) => name ?? ''));

describe('metrics', () => {
  it('count requests by the route that answers them, whatever was asked', () => {
    const route = 'route="/api/v1/experiments/:id"';
    expect(told).toMatch(
      new RegExp(`^paceline_http_request_seconds_count\\{method="GET",${route},status="2xx"\\} [3-9]$`, 'm'),
    );
    expect(told).toMatch(new RegExp(`seconds_count\\{method="GET",${route},status="4xx"\\} 1$`, 'm'));
    const routes = new Set([...told.matchAll(/route="([^"]*)"/g)].map(([, path]) => path));
    expect([...routes].filter((path) => /nothing-like-it|nowhere|passwd|not-there|%/.test(path ?? ''))).toEqual([]);
    expect(routes).toContain('other');
    const methods = new Set([...told.matchAll(/method="([^"]*)"/g)].map(([, method]) => method));
    expect([...methods].filter((method) => !['GET', 'POST', 'other'].includes(method ?? ''))).toEqual([]);
  });

  it('say what the data folder holds, and what its disk has left', () => {
    const value = (name: string): number => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(told)?.[1]);
    expect(value('paceline_data_bytes')).toBeGreaterThan(10_000);
    expect(value('paceline_disk_free_bytes')).toBeGreaterThan(0);
  });
});

const Dashboard = z.object({
  panels: z.array(
    z.object({
      title: z.string(),
      type: z.string(),
      gridPos: z.object({ x: z.int(), y: z.int(), w: z.int(), h: z.int() }),
      targets: z.array(z.object({ expr: z.string() })).default([]),
    }),
  ),
});
const NAME = /\bpaceline_\w+/g;
const asked = (text: string): string[] => text.match(NAME) ?? [];

describe('the shipped dashboard and rules', () => {
  const { panels } = Dashboard.parse(JSON.parse(readFileSync(deploy('grafana/paceline.json'), 'utf8')));
  const expressions = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
  const rules = readFileSync(deploy('prometheus/paceline.rules.yaml'), 'utf8');

  it('ask for nothing that a server does not tell, and for all that only it tells', () => {
    const there = series();
    expect([...expressions, rules].flatMap(asked).filter((name) => !there.has(name))).toEqual([]);
    const own = names().filter((name) => name.startsWith('paceline_') && !/^paceline_(process|nodejs)_/.test(name));
    const shown = new Set(expressions.flatMap(asked).map((name) => name.replace(/_(bucket|count|sum)$/, '')));
    expect(
      [...new Set(own.map((name) => name.replace(/_(count|sum)$/, '')))].filter((name) => !shown.has(name)),
    ).toEqual([]);
  });

  it('lie beside one another', () => {
    const places = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, i) => `${x + (i % w)},${y + Math.floor(i / w)}`),
    );
    expect(new Set(places).size).toBe(places.length);
    expect(Math.max(...panels.map(({ gridPos: { x, w } }) => x + w))).toBe(24);
  });

  const promtool = spawnSync('promtool', ['--version']).error === undefined;
  it.skipIf(!promtool)('are what Prometheus can read (promtool)', () => {
    const checked = spawnSync('promtool', ['check', 'rules', deploy('prometheus/paceline.rules.yaml')], {
      encoding: 'utf8',
    });
    expect(checked.stdout + checked.stderr).toContain('SUCCESS: 5 rules found');
  });
});
