// The id in the address of a page about one thing.
import { useParams } from '@tanstack/react-router';

export function usePageId(): string {
  const params: { readonly id?: string } = useParams({ strict: false });
  return params.id ?? '';
}
