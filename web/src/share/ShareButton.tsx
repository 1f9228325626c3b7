// Two different things to pass on: a link to the view, which goes on changing with what it shows, and a frozen copy of it.
import { Suspense, useState } from 'react';
import { COPIED, useCopied } from '../ui/copy-button';
import { lazyPart } from '../ui/lazy-part';
import { MenuButton } from '../ui/overlay';
import { linkHere } from './link';

const FreezeDialog = lazyPart(async () => ({ default: (await import('./FreezeDialog')).FreezeDialog }));

interface ShareButtonProps {
  /** What the view is of: the title to begin with. */
  readonly name: string;
  /** It is not over yet, and cannot be frozen. */
  readonly going?: boolean;
}

export function ShareButton({ name, going = false }: ShareButtonProps) {
  const { said, copy } = useCopied(linkHere);
  const [freezing, setFreezing] = useState(false);
  return (
    <>
      <MenuButton
        icon={said === COPIED ? 'check' : 'share'}
        entries={[
          { id: 'link', icon: 'copy', label: 'Copy link to this view (live)', onAction: copy },
          { id: 'freeze', icon: 'stop', label: 'Freeze this view …', onAction: () => setFreezing(true) },
        ]}
      >
        <span aria-live="polite">{said ?? 'Share'}</span>
      </MenuButton>
      {freezing ? (
        <Suspense fallback={null}>
          <FreezeDialog name={name} going={going} onClose={() => setFreezing(false)} />
        </Suspense>
      ) : null}
    </>
  );
}
