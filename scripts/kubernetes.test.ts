// deploy/kubernetes against the programs that it starts: what it says to them they take, and what it asks of them they answer.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { z } from 'zod';
import { serveConfig } from '#server/config';
import { TestProcess } from '#server/testing/process';
import { testFolderOfFile } from '#server/testing/folder';
import { ROOT } from './lib/paths.mjs';

const FOLDER = `${ROOT}/deploy/kubernetes`;

const Value = z.object({ name: z.string(), value: z.string().optional(), valueFrom: z.unknown().optional() });
const Probe = z.object({
  httpGet: z.object({
    path: z.string(),
    port: z.string(),
    httpHeaders: z.array(z.object({ name: z.string(), value: z.string() })),
  }),
});
const Container = z.object({
  name: z.string(),
  image: z.string(),
  command: z.array(z.string()),
  args: z.array(z.string()),
  env: z.array(Value).default([]),
  ports: z.array(z.object({ name: z.string(), containerPort: z.number() })).default([]),
  startupProbe: Probe.optional(),
  livenessProbe: Probe.optional(),
  resources: z.object({ requests: z.object({ cpu: z.string() }), limits: z.object({ memory: z.string() }) }),
  securityContext: z.unknown(),
  volumeMounts: z.array(z.object({ name: z.string(), mountPath: z.string() })),
});
const Deployment = z.object({
  kind: z.literal('Deployment'),
  metadata: z.object({ name: z.string() }),
  spec: z.object({
    selector: z.object({ matchLabels: z.record(z.string(), z.string()) }),
    template: z.object({
      metadata: z.object({ labels: z.record(z.string(), z.string()) }),
      spec: z.object({
        automountServiceAccountToken: z.literal(false),
        securityContext: z.object({ runAsNonRoot: z.literal(true), seccompProfile: z.unknown() }),
        containers: z.array(Container).min(1),
        volumes: z.array(z.object({ name: z.string(), persistentVolumeClaim: z.unknown().optional() })),
      }),
    }),
  }),
});

const files = readdirSync(FOLDER).filter((name) => name !== 'kustomization.yaml');
const documents = files.flatMap((name) =>
  parseAllDocuments(readFileSync(`${FOLDER}/${name}`, 'utf8')).map((one) => one.toJS() as { kind: string }),
);
const deployments = documents.filter(({ kind }) => kind === 'Deployment').map((one) => Deployment.parse(one));
const pods = deployments.map(({ spec }) => spec.template.spec);
const container = (name: string): z.infer<typeof Container> => {
  const found = pods.flatMap(({ containers }) => containers).find((one) => one.name === name);
  if (found === undefined) throw new Error(`there is no container ${name}`);
  return found;
};
/** Values that are written out; those of secrets are their names. */
const environment = ({ env }: z.infer<typeof Container>): Record<string, string> =>
  Object.fromEntries(env.map(({ name, value }) => [name, value ?? `secret-of-${name}`]));

describe('the manifests for Kubernetes', () => {
  it('are all applied', () => {
    const [{ resources }] = parseAllDocuments(readFileSync(`${FOLDER}/kustomization.yaml`, 'utf8')).map(
      (one) => one.toJS() as { resources: string[] },
    ) as [{ resources: string[] }];
    expect(resources.toSorted()).toEqual(files.toSorted());
    expect(deployments.map(({ metadata }) => metadata.name).toSorted()).toEqual([
      'paceline',
      'paceline-redis',
      'paceline-worker',
    ]);
  });

  it('give no container a right, and nothing to write on but what it is given', () => {
    for (const { containers, volumes } of pods)
      for (const one of containers) {
        expect(one.securityContext).toEqual({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        });
        for (const { name } of one.volumeMounts) expect(volumes.map((volume) => volume.name)).toContain(name);
      }
  });

  it('start a server that takes what it is told, and places that are mounted', () => {
    const server = container('paceline');
    const [command, ...words] = server.args;
    expect(command).toBe('serve');
    const config = serveConfig(words, environment(server));
    expect(config?.port).toBe(server.ports[0]?.containerPort);
    expect(config?.token).toBe('secret-of-PACELINE_TOKEN');
    expect(config?.redisUrl).toContain('paceline-redis:6379');
    expect(server.volumeMounts.map(({ mountPath }) => mountPath)).toContain(config?.dataDir);
  });

  describe('and the programs', () => {
    const folder = testFolderOfFile();
    let server: TestProcess;
    let port = 0;
    beforeAll(async () => {
      const words = container('paceline').args.slice(1);
      const local = ['--host', '127.0.0.1', '--port', '0', '--data-dir', `${folder()}/data`];
      const env = { ...process.env, PACELINE_TOKEN: 'a-token-of-this-test', PACELINE_REDIS_URL: '' };
      server = new TestProcess('server/src/cli/main.ts', ['serve', ...words, ...local], undefined, env);
      port = Number((await server.says(/ready: \S+:(\d+)\//))[1]);
    });
    afterAll(async () => {
      await server.kill('SIGTERM');
    });

    it('answer the probes as these ask', async () => {
      const { startupProbe, livenessProbe } = container('paceline');
      for (const probe of [startupProbe, livenessProbe]) {
        const { path = '', httpHeaders = [] } = probe?.httpGet ?? {};
        const headers = Object.fromEntries(httpHeaders.map(({ name, value }) => [name, value]));
        const status = (more: Record<string, string>): Promise<number | undefined> =>
          new Promise((done, fail) => {
            const asked = request({ port, path, headers: { ...headers, ...more } }, (answer) => {
              answer.resume();
              done(answer.statusCode);
            });
            asked.on('error', fail).end();
          });
        expect(await status({})).toBe(200);
        // Without the header the address of the pod stands there.
        expect(await status({ Host: '10.1.2.3:8080' })).not.toBe(200);
      }
    });

    it('make the backup that a container beside makes, when its day is over', async () => {
      const backup = container('backup');
      const [script = ''] = backup.args;
      const [, line = ''] = /^ +node bin\/paceline\.mjs (.*)$/m.exec(script) ?? [];
      const words = line.replace('/data', `${folder()}/data`).replace('/backups', `${folder()}/backups`).split(' ');
      const made = await new TestProcess('server/src/cli/main.ts', words).ended();
      expect(made.stderr).toBe('');
      expect(made.code).toBe(0);
      expect(readdirSync(`${folder()}/backups`).length).toBeGreaterThan(0);
    });

    it('make it again and again, and end when they are told to', async () => {
      const [script = ''] = container('backup').args;
      const hurried = script.replace('86400', '0.05').replace(/node bin.*/, 'echo made');
      expect(hurried).not.toBe(script);
      const loop = spawn('sh', ['-c', hurried]);
      let told = '';
      loop.stdout.on('data', (text: Buffer) => (told += text.toString()));
      await expect.poll(() => told).toContain('made\nmade\n');
      loop.kill('SIGTERM');
      expect((await once(loop, 'exit'))[1]).toBeNull();
    });

    it('know the words of a worker', async () => {
      const { args } = container('worker');
      const env = { ...process.env, PACELINE_REDIS_URL: 'redis://127.0.0.1:1' };
      const words = args.map((word) => (word === '/cache' ? `${folder()}/cache` : word));
      const worker = new TestProcess('server/src/cli/main.ts', words, undefined, env);
      await worker.says(/redis|Redis/);
      const { stderr } = await worker.kill('SIGTERM');
      expect(stderr).not.toContain('see paceline --help');
    });
  });
});
