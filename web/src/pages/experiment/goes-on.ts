import type { ExperimentState } from '#protocol/api';

export const goesOn = (state: ExperimentState): boolean => state === 'queued' || state === 'running';
