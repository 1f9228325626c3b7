// A CCA's marker in its colour, as it appears in every figure.
import type { CcaDescriptor } from '#protocol/cca';
import { identity, UNKNOWN_IDENTITY } from '#analysis/cca-look';
import { useTheme } from '../theme/theme';

export function CcaMark({ cca, size = 14 }: { readonly cca: CcaDescriptor | undefined; readonly size?: number }) {
  const look = identity(cca ?? UNKNOWN_IDENTITY, useTheme());
  return (
    <svg width={size} height={size} viewBox="-8 -8 16 16" aria-hidden="true" style={{ flex: 'none' }}>
      <path
        d={look.path(5.5)}
        fill={look.hollow ? 'none' : look.colour}
        stroke={look.colour}
        strokeWidth={look.hollow ? 2 : 0}
      />
    </svg>
  );
}
