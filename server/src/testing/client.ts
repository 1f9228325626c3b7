import { ExperimentRecord, Problem, RunRecord } from '#protocol/api';
import type { ExperimentSpecInput } from '#protocol/spec';
import { eventually, type TestProcess } from './process.ts';

/** Talks to a server that is a process of its own. */
export class Client {
  readonly process: TestProcess;
  readonly #url: string;

  private constructor(started: TestProcess, url: string) {
    this.process = started;
    this.#url = url;
  }

  static async of(started: TestProcess): Promise<Client> {
    const [, url = ''] = await started.says(/^Paceline is ready: (http:\S+)/m);
    return new Client(started, url);
  }

  get(path: string): Promise<Response> {
    return fetch(new URL(`/api/v1/${path}`, this.#url));
  }

  post(path: string, body: string | Blob, type = 'application/json'): Promise<Response> {
    return fetch(new URL(`/api/v1/${path}`, this.#url), { method: 'POST', body, headers: { 'content-type': type } });
  }

  async submit(spec: ExperimentSpecInput): Promise<string[]> {
    const response = await this.post('experiments', JSON.stringify(spec));
    return ExperimentRecord.parse(await response.json()).runs.map(({ id }) => id);
  }

  async run(id: string): Promise<RunRecord> {
    return RunRecord.parse(await (await this.get(`runs/${id}`)).json());
  }

  /** Why it is not ready; null when it is. */
  async notReady(): Promise<string | null> {
    const response = await this.get('ready');
    return response.status === 200 ? null : Problem.parse(await response.json()).detail;
  }

  reaches(id: string, state: RunRecord['state']): Promise<void> {
    return eventually(async () => (await this.run(id)).state === state);
  }

  over(id: string): Promise<void> {
    return eventually(async () => !['queued', 'running'].includes((await this.run(id)).state));
  }
}
