// What a share's file carries along (server/src/shares/share-file.ts): its answers as JSON, and the samples of its runs, packed.
import { z } from 'zod';
import { previewPart } from '#analysis/preview-part';
import { ShareAnswers } from '#protocol/share';
import { TracePreview } from '#protocol/trace';
import type { AnswerSource } from '../api/answer-source';
import { keptAnswers } from '../api/kept-answers';
import type { LoadRun } from '../share/frozen-feeds';

const Embedded = ShareAnswers.extend({
  /** Where the share is; null: the file was written without a server. */
  page: z.string().nullable(),
  runs_left_out: z.int(),
});
export type Embedded = z.infer<typeof Embedded>;

const textOf = (id: string): string | null => document.getElementById(id)?.textContent ?? null;

export const embedded = (): Embedded => Embedded.parse(JSON.parse(textOf('share') ?? 'null'));

async function unpacked(base64: string): Promise<Uint8Array> {
  const bytes = Uint8Array.from(atob(base64.trim()), (character) => character.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

export const loadEmbedded: LoadRun = async (run) => {
  const [control, samples] = [textOf(`control-${run}`), textOf(`samples-${run}`)];
  if (control === null || samples === null)
    throw new Error(
      'This file would have become too large with the samples of this run; the share on the server has them.',
    );
  return {
    control: JSON.parse(new TextDecoder().decode(await unpacked(control))) as unknown,
    samples: await unpacked(samples),
  };
};

const Part = z.object({ bins: z.coerce.number(), from_ms: z.coerce.number(), to_ms: z.coerce.number() });

/** Answers of the share; parts of a trace are made of the whole that it has kept. */
export const embeddedAnswers = (answers: Embedded['answers']): AnswerSource =>
  keptAnswers(answers, (answer, path, query) => {
    if (!path.endsWith('/preview')) return answer;
    const { bins, from_ms, to_ms } = Part.parse(Object.fromEntries(query));
    return previewPart(TracePreview.parse(answer), { bins, fromMs: from_ms, toMs: to_ms });
  });
