// A run whose samples are not there: what it came to is, and a run in virtual time has them again when somebody asks.
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { RunRecord } from '#protocol/api';
import { remakeSamples } from '../../api/actions';
import { forgetRun } from '../../live/run-feed';
import { LiveOnly } from '../../share/frozen';
import { Button } from '../../ui/button';
import { day } from '../../ui/format';
import { Notice, ProblemNotice } from '../../ui/notice';

export function SamplesGone({ run }: { readonly run: RunRecord }) {
  const queries = useQueryClient();
  const [making, setMaking] = useState(false);
  const [fault, setFault] = useState<unknown>(null);
  const { samples, manifest, state, id } = run;
  // Only what has ended well says that it ought to have some.
  if (samples === undefined || samples.kept || (state !== 'done' && samples.gone_at === null)) return null;
  const make = (): void => {
    setMaking(true);
    setFault(null);
    remakeSamples(queries, id, () => forgetRun(id))
      .catch(setFault)
      .finally(() => setMaking(false));
  };
  const canBeMade = manifest.engine === 'virtual' && state === 'done';
  return (
    <>
      <Notice
        title={
          samples.gone_at === null
            ? 'This run was made without samples'
            : `The samples were let go on ${day(samples.gone_at)}, to make room`
        }
        actions={
          canBeMade ? (
            <LiveOnly>
              <Button size="small" icon="retry" onPress={make} isDisabled={making}>
                {making ? 'Making them …' : 'Make them again'}
              </Button>
            </LiveOnly>
          ) : undefined
        }
      >
        <div>
          {canBeMade
            ? 'What the run came to is all here. Made once more, it has the very same samples.'
            : 'What the run came to is all here. It cannot be made again as it was.'}
        </div>
      </Notice>
      {fault === null ? null : <ProblemNotice error={fault} />}
    </>
  );
}
