import { z } from 'zod';
import { LogId } from '#protocol/program-logs';
import { CcaId, ExperimentId, RunId, ShareSlug, StudyId, TraceId, WeightsId } from '#protocol/ids';
import { OwnCcaId } from '#protocol/own-algorithm';
import { TemplateId } from '#protocol/template';

/** What an address may hold: nothing else reaches a query, a path or a program. */
export const RunParams = z.object({ id: RunId });
export const RunFlowParams = RunParams.extend({
  flow: z.coerce.number().int().min(0).max(63),
});
export const RunLogParams = RunParams.extend({ log: LogId });
export const CcaParams = z.object({ id: CcaId });
export const ExperimentParams = z.object({ id: ExperimentId });
export const AlgorithmParams = z.object({ id: OwnCcaId });
export const WeightsParams = z.object({ id: WeightsId });
export const TraceParams = z.object({ id: TraceId });
export const StudyParams = z.object({ id: StudyId });
export const TemplateParams = z.object({ id: TemplateId });
export const ShareParams = z.object({ slug: ShareSlug });
export const ShareRunParams = ShareParams.extend({ run: RunId });
