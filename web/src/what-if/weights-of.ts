import type { CcaDescriptor } from '#protocol/cca';
import type { RunManifest } from '#protocol/manifest';

/** Weights files that the parameters of its flows name, each once. */
export const weightsOfManifest = ({ flows }: Pick<RunManifest, 'flows'>, ccas: readonly CcaDescriptor[]): string[] => [
  ...new Set(
    flows.flatMap(({ cca: { id, params } }) =>
      (ccas.find((cca) => cca.id === id)?.params ?? []).flatMap(({ name, type }) => {
        const value = params[name];
        return type === 'weights' && typeof value === 'string' && value !== '' ? [value] : [];
      }),
    ),
  ),
];
