// Two different things to pass on: a link to the view, which goes on changing with what it shows, and a frozen copy of it.
import { Suspense, useEffect, useState } from 'react';
import { copyText } from '../ui/copy-button';
import { lazyPart } from '../ui/lazy-part';
import { MenuButton } from '../ui/overlay';

const FreezeDialog = lazyPart(async () => ({ default: (await import('./FreezeDialog')).FreezeDialog }));

interface ShareButtonProps {
  /** What the view is of: the title to begin with. */
  readonly name: string;
  /** It is not over yet, and cannot be frozen. */
  readonly going?: boolean;
}

export function ShareButton({ name, going = false }: ShareButtonProps) {
  const [said, setSaid] = useState<'Copied' | 'Copying is not allowed' | null>(null);
  const [freezing, setFreezing] = useState(false);
  useEffect(() => {
    if (said === null) return;
    const timer = setTimeout(() => setSaid(null), 1600);
    return () => clearTimeout(timer);
  }, [said]);
  const copy = (): void =>
    void copyText(window.location.href).then(
      () => setSaid('Copied'),
      () => setSaid('Copying is not allowed'),
    );
  return (
    <>
      <MenuButton
        icon={said === 'Copied' ? 'check' : 'share'}
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
