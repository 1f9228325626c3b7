// An entry in the menu of what is private, and the dialog that it opens.
import { Suspense, useState, type ReactNode } from 'react';
import type { PrivateThing } from '../api/access';
import { lazyPart } from '../ui/lazy-part';
import type { MenuEntry } from '../ui/overlay';

const PublishDialog = lazyPart(async () => ({ default: (await import('./PublishDialog')).PublishDialog }));

interface Publishing {
  readonly menu: readonly MenuEntry[];
  readonly dialog: ReactNode;
}

export function usePublishing(thing: PrivateThing, of: { readonly private?: true | undefined }): Publishing {
  const [asked, setAsked] = useState(false);
  if (of.private !== true) return { menu: [], dialog: null };
  return {
    menu: [{ id: 'publish', label: 'Publish …', icon: 'lock', onAction: () => setAsked(true) }],
    dialog: asked ? (
      <Suspense fallback={null}>
        <PublishDialog thing={thing} onClose={() => setAsked(false)} />
      </Suspense>
    ) : null,
  };
}
