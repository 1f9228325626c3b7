// Which series are hidden: the same in the address and in every panel. Apart from the panels, whose code few pages need.
import { useEffect, useMemo } from 'react';
import { Visibility } from '../../charts/visibility';
import { listText } from '../../ui/search';

/** Hidden series, by their keys. */
export const HIDE_SEARCH = { hide: { codec: listText, initial: [] as string[] } };

/** Which series are hidden, kept in the address. */
export function useSharedVisibility(hide: readonly string[], setHide: (hide: string[]) => void): Visibility {
  const visibility = useMemo(() => new Visibility(), []);
  const wanted = hide.join(',');
  useEffect(() => {
    const now = [...visibility.state.hidden].join(',');
    if (now !== wanted) visibility.setHidden(wanted === '' ? [] : wanted.split(','));
    return visibility.subscribe(() => {
      const hidden = [...visibility.state.hidden];
      if (hidden.join(',') !== wanted) setHide(hidden);
    });
  }, [visibility, wanted, setHide]);
  return visibility;
}
