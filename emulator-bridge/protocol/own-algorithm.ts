// Algorithms that people write in the page (docs/own-algorithms.md): one text each, known by the hash of its bytes.
import { z } from 'zod';
import { InternalDescriptor, MARKERS, ParamDescriptor, type CcaDescriptor } from '#protocol/cca';
import { OwnCcaId, ownCcaId, ProgramId } from '#protocol/own-id';
import { Line } from '#protocol/text';

export { isOwnCca, OwnCcaId, ownCcaId, ProgramId } from '#protocol/own-id';

export const MOST_SOURCE_BYTES = 256 * 1024;
export const MOST_OWN_NAME = 40;
const MOST_PARAMS = 32;
const MOST_INTERNALS = 32;

export const OwnNeeds = z.strictObject({
  pacing: z.enum(['window', 'own', 'none']).default('window'),
  paced_start: z.boolean().default(false),
  prr: z.boolean().default(true),
  acked_packets: z.boolean().default(false),
  receiver_timestamps: z.boolean().default(false),
  ecn: z.enum(['none', 'classic', 'l4s']).default('none'),
});

/** What a text says of itself when it is read, before any run. */
export const OwnDeclaration = z.strictObject({
  name: Line.min(1).max(MOST_OWN_NAME),
  summary: Line.max(400),
  source: Line.max(400),
  needs: OwnNeeds,
  params: z.array(ParamDescriptor).max(MOST_PARAMS),
  internals: z.array(InternalDescriptor).max(MOST_INTERNALS),
});

/** Where in its text something is, from 1. */
export const SourcePlace = z.strictObject({ line: z.int().positive(), column: z.int().positive() });

export const OwnProblem = z.strictObject({ message: z.string(), at: SourcePlace.nullable() });

/** What became of reading a text. */
export const OwnDescription = z.discriminatedUnion('ok', [
  z.strictObject({ ok: z.literal(true), declaration: OwnDeclaration }),
  z.strictObject({ ok: z.literal(false), problem: OwnProblem }),
]);

/** One version that a server keeps. */
export const OwnAlgorithm = z.strictObject({
  /** As specs name it. */
  id: OwnCcaId,
  program: ProgramId,
  declaration: OwnDeclaration,
  /** Versions of one name, from 1, in the order in which they came. */
  version: z.int().positive(),
  created_at: z.string(),
});
export const OwnAlgorithmList = z.object({ algorithms: z.array(OwnAlgorithm) });
export const OwnAlgorithmText = OwnAlgorithm.safeExtend({ text: z.string().max(MOST_SOURCE_BYTES) });

export type OwnDeclaration = z.infer<typeof OwnDeclaration>;
export type SourcePlace = z.infer<typeof SourcePlace>;
export type OwnProblem = z.infer<typeof OwnProblem>;
export type OwnDescription = z.infer<typeof OwnDescription>;
export type OwnAlgorithm = z.infer<typeof OwnAlgorithm>;
export type OwnAlgorithmList = z.infer<typeof OwnAlgorithmList>;
export type OwnAlgorithmText = z.infer<typeof OwnAlgorithmText>;

/** A look of its own that depends on nothing but its text: hollow, as those of other people's making are. */
const lookOf = (program: string): CcaDescriptor['identity'] => ({
  slot: Number.parseInt(program.slice(0, 2), 16) % 8,
  marker: MARKERS[Number.parseInt(program.slice(2, 4), 16) % MARKERS.length] ?? 'circle',
  hollow: true,
});

/** As it stands in the list of algorithms. `version`: null for a text that nobody keeps yet. */
export const ownDescriptor = (
  program: string,
  { name, summary, source, params, internals }: OwnDeclaration,
  version: { readonly number: number; readonly newest: boolean } | null,
): CcaDescriptor => ({
  id: ownCcaId(program),
  // Two versions side by side are told apart by it.
  label: version === null || version.newest ? name : `${name} v${version.number}`,
  family: 'own',
  kind: 'sender',
  baseline: false,
  summary,
  source,
  engines: ['virtual'],
  identity: lookOf(program),
  params,
  internals,
  own: { program, version: version?.number ?? null, newest: version?.newest ?? true },
});
