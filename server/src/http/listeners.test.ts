import { expect, it } from 'vitest';
import { QUICK, TestServer } from '../testing/server.ts';

it('whoever reads the log of a server is told of no leak where there is none', async () => {
  const server = await TestServer.start();
  const warnings: Error[] = [];
  const note = (warning: Error): unknown => warnings.push(warning);
  process.on('warning', note);
  try {
    const experiment = await server.submit(QUICK);
    await server.over(experiment);
    for (const what of ['export?format=csv', 'report', 'bundle']) {
      const answer = await fetch(server.url(`/experiments/${experiment.id}/${what}`));
      expect(`${what} ${answer.status}`).toBe(`${what} 200`);
      expect((await answer.arrayBuffer()).byteLength).toBeGreaterThan(100);
    }
  } finally {
    process.off('warning', note);
    await server.close();
  }
  expect(warnings.map(({ message }) => message)).toEqual([]);
});
