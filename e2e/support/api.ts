import { test } from '@playwright/test';
import type { z } from 'zod';
import { Doctor, ExperimentRecord, RunRecord, TraceList, TraceRecord } from '#protocol/api';
import { Labels, type LabelKind, type LabelsChange } from '#protocol/labels';
import { OwnAlgorithm } from '#protocol/own-algorithm';
import { ShareRecord, type NewShareInput } from '#protocol/share';
import type { ExperimentSpecInput } from '#protocol/spec';
import { LATE } from '#server/testing/late';
import { askForQuiet, endQuiet } from './quiet.ts';

const POLL_MS = 100;
/** Of runs in real time with which the machine did not keep up. */
const MOST_TRIES = 5;

/** The server as a program sees it; every answer is checked against the protocol's schemas. */
export class Api {
  readonly #base: string;

  constructor({ url }: { readonly url: string }) {
    this.#base = `${url}/api/v1`;
  }

  async #get<T>(path: string, schema: z.ZodType<T>): Promise<T> {
    return schema.parse(await (await this.#fetch(path)).json());
  }

  /** Of the stacks that are not ours, those that this machine cannot run, as the doctor calls them. */
  async lackingStacks(): Promise<string[]> {
    const { checks } = await this.#get('/doctor', Doctor);
    return checks.filter(({ id, ok }) => !ok && ['quic', 'kernel-tcp'].includes(id)).map(({ label }) => label);
  }

  async #fetch(path: string, init?: RequestInit): Promise<Response> {
    const response = await fetch(this.#base + path, init);
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return response;
  }

  experiment = (id: string): Promise<ExperimentRecord> => this.#get(`/experiments/${id}`, ExperimentRecord);
  run = (id: string): Promise<RunRecord> => this.#get(`/runs/${id}`, RunRecord);
  traces = async (): Promise<TraceList['traces']> => (await this.#get('/traces', TraceList)).traces;

  async file(path: string): Promise<Buffer> {
    return Buffer.from(await (await this.#fetch(path)).arrayBuffer());
  }

  /** Says something of an experiment, a run or a trace. */
  async label(kind: LabelKind, id: string, change: LabelsChange): Promise<Labels> {
    const answer = await this.#fetch(`/${kind}s/${id}/labels`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(change),
    });
    return Labels.parse(await answer.json());
  }

  /** A file as a trace, taken for what it looks like. */
  async upload(name: string, file: Buffer): Promise<TraceRecord> {
    const answer = await this.#fetch(`/traces?name=${encodeURIComponent(name)}`, {
      method: 'POST',
      headers: { 'content-type': 'application/octet-stream' },
      body: new Uint8Array(file),
    });
    return TraceRecord.parse(await answer.json());
  }

  async remove(kind: 'experiment' | 'trace', id: string): Promise<void> {
    await this.#fetch(`/${kind}s/${id}`, { method: 'DELETE' });
  }

  async submit(spec: ExperimentSpecInput): Promise<ExperimentRecord> {
    const answer = await this.#fetch('/experiments', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(spec),
    });
    return ExperimentRecord.parse(await answer.json());
  }

  /** Keeps the text of an own algorithm. */
  async keep(text: string): Promise<OwnAlgorithm> {
    const init = { method: 'POST', headers: { 'content-type': 'text/plain' }, body: text };
    return OwnAlgorithm.parse(await (await this.#fetch('/algorithms', init)).json());
  }

  async freeze(share: NewShareInput): Promise<ShareRecord> {
    const answer = await this.#fetch('/shares', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(share),
    });
    return ShareRecord.parse(await answer.json());
  }

  /** The experiment once it is as asked for; the test's own timeout ends the wait. */
  async until(id: string, wanted: (record: ExperimentRecord) => boolean): Promise<ExperimentRecord> {
    for (;;) {
      const record = await this.experiment(id);
      if (wanted(record)) return record;
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  }

  ended = (id: string): Promise<ExperimentRecord> =>
    this.until(id, ({ state }) => state !== 'queued' && state !== 'running');

  /**
   * Once every run counts: those with which a busy machine did not keep up are run again, as a person would have them. A machine that never keeps up
   * has nothing to show, and the test is skipped with what it said: how fast it is, is `npm run bench`'s to judge.
   */
  async counting(id: string): Promise<ExperimentRecord> {
    try {
      for (let tries = 1; ; tries++) {
        const record = await this.ended(id);
        const others = record.runs.filter((run) => run.state !== 'done');
        if (others.length === 0) return record;
        const failed = others.find(({ reason }) => !LATE.test(reason ?? ''));
        if (failed !== undefined) throw new Error(`run ${failed.id} is ${failed.state}: ${failed.reason ?? ''}`);
        test.skip(tries === MOST_TRIES, `late ${MOST_TRIES} times: ${others[0]?.reason ?? ''}`);
        await askForQuiet();
        await this.#fetch(`/experiments/${id}/retry`, { method: 'POST' });
      }
    } finally {
      await endQuiet();
    }
  }

  /** Submits and waits; fails if any run does. */
  async measure(spec: ExperimentSpecInput): Promise<ExperimentRecord> {
    const record = await this.ended((await this.submit(spec)).id);
    const failed = record.runs.find((run) => run.state !== 'done');
    if (failed !== undefined) throw new Error(`run ${failed.id} is ${failed.state}: ${failed.reason ?? ''}`);
    return record;
  }
}
