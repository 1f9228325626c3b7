// An algorithm's name that leads to its page, with the parameters that it has here where they can be tried. In a share it is only a name.
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { changedParams } from '#analysis/params';
import type { CcaDescriptor } from '#protocol/cca';
import type { ParamValues } from '#protocol/spec';
import { useFrozen } from '../../share/frozen';
import { writeParams } from './param-text';

interface CcaLinkProps {
  /** Undefined: the engine that is here does not have it. */
  readonly cca: CcaDescriptor | undefined;
  readonly params: ParamValues;
  readonly children: ReactNode;
}

export function CcaLink({ cca, params, children }: CcaLinkProps) {
  const frozen = useFrozen();
  if (cca === undefined || frozen !== null || cca.own?.version === null) return children;
  if (cca.own !== undefined)
    return (
      <Link to="/write/$id" params={{ id: cca.id }}>
        {children}
      </Link>
    );
  // Of a real stack there is nothing that would run with them.
  const words = cca.engines.includes('virtual') ? writeParams(changedParams(params, cca.params), cca.params) : [];
  const p = words.join();
  return (
    <Link to="/ccas/$id" params={{ id: cca.id }} search={p === '' ? {} : { p }}>
      {children}
    </Link>
  );
}
