// What is done with a text beyond this browser: it is kept on the server as a version, shared, put into an experiment, written out as C++.
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { OwnAlgorithm } from '#protocol/own-algorithm';
import { keepAlgorithm, skeletonUrl } from '../../api/algorithms';
import { hasServer } from '../../api/ask';
import { download } from '../../ui/download';
import { showToast } from '../../ui/toasts';

interface Keeping {
  readonly busy: boolean;
  /** Why the server did not take the text. */
  readonly fault: unknown;
  /** The version that is being shared. */
  readonly sharing: OwnAlgorithm | null;
  readonly keep: () => void;
  readonly share: () => void;
  readonly stopSharing: () => void;
  readonly experiment: () => void;
  readonly exportCpp: () => void;
}

export function useKeep(text: string): Keeping {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<unknown>(null);
  const [sharing, setSharing] = useState<OwnAlgorithm | null>(null);
  const kept = async (then: (algorithm: OwnAlgorithm) => void): Promise<void> => {
    setBusy(true);
    setFault(null);
    try {
      then(await keepAlgorithm(queries, text));
    } catch (error) {
      setFault(error);
    } finally {
      setBusy(false);
    }
  };
  return {
    busy,
    fault,
    sharing,
    keep: () =>
      void kept(({ declaration, version }) =>
        showToast({
          text: hasServer()
            ? `“${declaration.name}” is kept on the server as version ${version}.`
            : `“${declaration.name}” is kept in this browser as version ${version}.`,
        }),
      ),
    share: () => void kept(setSharing),
    stopSharing: () => setSharing(null),
    experiment: () => void kept(({ id }) => void navigate({ to: '/new', search: { cca: id } })),
    exportCpp: () => void kept(({ id }) => download(skeletonUrl(id))),
  };
}
