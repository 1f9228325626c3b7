import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import express from 'express';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { testFolder } from '../testing/folder.ts';
import { problemHandler } from './problem.ts';
import { pageRoutes } from './static.ts';

const folder = testFolder();
let server: Server;
let url: string;
beforeEach(async () => {
  mkdirSync(join(folder(), 'assets'));
  writeFileSync(join(folder(), 'index.html'), '<!doctype html><script>let theme;</script><div id="root"></div>');
  writeFileSync(join(folder(), 'mark.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
  writeFileSync(join(folder(), 'assets', 'index-1.js'), 'export const answer = 42;\n'.repeat(100));
  server = createServer(express().use(pageRoutes(folder()), problemHandler(pino({ level: 'silent' }))));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

describe('the page', () => {
  it('has one policy at every address, whatever is there', async () => {
    const policies = new Set<string | null>();
    for (const path of [
      '/',
      '/index.html',
      '/e/abc',
      '/mark.svg',
      '/assets/index-1.js',
      '/assets/',
      '/assets/nothing.js',
    ])
      policies.add((await fetch(url + path)).headers.get('content-security-policy'));
    const [policy, ...others] = policies;
    expect(others).toEqual([]);
    expect(policy).toContain("frame-ancestors 'self'");
    expect(policy).toMatch(/script-src 'self' 'sha256-[^']+';/);
  });
});
