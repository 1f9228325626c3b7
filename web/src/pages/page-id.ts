// The id in the address of a page about one thing; of a share, what it is of.
import { useParams } from '@tanstack/react-router';
import { useFrozen } from '../share/frozen';

export function usePageId(): string {
  const params: { readonly id?: string } = useParams({ strict: false });
  const frozen = useFrozen();
  return params.id ?? frozen?.id ?? '';
}
