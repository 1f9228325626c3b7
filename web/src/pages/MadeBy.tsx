// Who made something, where there is more than one who may have.
import { useQuery } from '@tanstack/react-query';
import type { Maker } from '#protocol/access';
import { callerQuery } from '../api/access';

/** Nothing of what is everybody's, and nothing to the operator of what the operator has made. */
export function MadeBy({ maker }: { readonly maker: Maker | undefined }) {
  const { data: caller } = useQuery(callerQuery);
  if (maker === undefined || (maker.name === null && caller?.name === null)) return null;
  return <> by {maker.name ?? 'the operator'}</>;
}
