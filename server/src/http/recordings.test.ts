import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Problem } from '#protocol/api';
import { Replay } from '#protocol/source';
import { TestServer } from '../testing/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await TestServer.start();
});
afterAll(() => server.close());

const read = (body: NonNullable<RequestInit['body']>): Promise<Response> =>
  fetch(server.url('/recordings?name=call.csv'), { method: 'POST', body });

describe('recordings', () => {
  it('become the source of a flow', async () => {
    const expected = { kind: 'replay', name: 'call.csv', times_ms: [0, 0.25, 1500], bytes: [1500, 60, 400] };
    const table = 'time_s,bytes\n10,1500\n10.00025,60\n11.5,400\n';
    expect(Replay.parse(await (await read(table)).json())).toEqual(expected);
    expect(Replay.parse(await (await read(gzipSync(table))).json())).toEqual(expected);
  });

  it('are refused with the line', async () => {
    const answer = await read('0,1500\n1,many\n');
    expect(answer.status).toBe(422);
    const problem = Problem.parse(await answer.json());
    expect(problem.code).toBe('RECORDING_REFUSED');
    expect(problem.detail).toBe('line 2: many is not a whole number of bytes');
  });
});
