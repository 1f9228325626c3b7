import { spawn } from 'node:child_process';
import { ProgramMissing } from '#bridge/programs';
import { QUIC_REMEDY, quicHelper } from '#bridge/quic';
import { EXIT } from './exit.ts';

/** Passed on to the helper: it answers on our stdout, stderr and exit code. */
export async function quic(words: readonly string[]): Promise<number> {
  const helper = quicHelper();
  if (helper.path === null) throw new ProgramMissing(`QUIC is unavailable: ${helper.unavailable}; ${QUIC_REMEDY}`);
  const child = spawn(helper.path, words, { stdio: 'inherit' });
  return new Promise((done, fail) => {
    child.once('error', fail);
    child.once('exit', (code) => done(code ?? EXIT.failed));
  });
}
