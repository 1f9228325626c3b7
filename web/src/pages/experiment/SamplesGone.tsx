// An experiment of whose runs some have no samples any more: how many, and making them again, to be stopped at any time.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { remakeAllSamples } from '../../api/actions';
import { samplesGoneQuery } from '../../api/queries';
import { useFrozen } from '../../share/frozen';
import { Button } from '../../ui/button';
import { plural } from '../../ui/format';
import { Notice, ProblemNotice } from '../../ui/notice';
import page from '../../ui/page.module.css';

interface Making {
  /** Runs, when it began; and those that are made. */
  readonly of: number;
  readonly made: number;
}

export function SamplesGone({ experiment }: { readonly experiment: string }) {
  const queries = useQueryClient();
  const isFrozen = useFrozen() !== null;
  const { data } = useQuery({ ...samplesGoneQuery(experiment), enabled: !isFrozen });
  const [making, setMaking] = useState<Making | null>(null);
  const [fault, setFault] = useState<unknown>(null);
  const [refused, setRefused] = useState<readonly { readonly reason: string }[]>([]);
  const stop = useRef(new AbortController());
  useEffect(() => () => stop.current.abort(), []);
  if (data === undefined || (data.gone + data.lost === 0 && making === null)) return null;
  const make = (): void => {
    const controller = new AbortController();
    stop.current = controller;
    setMaking({ of: data.gone, made: 0 });
    setFault(null);
    remakeAllSamples(queries, experiment, (made) => setMaking({ of: data.gone, made }), controller.signal)
      .then(setRefused)
      .catch((error: unknown) => {
        if (!controller.signal.aborted) setFault(error);
      })
      .finally(() => setMaking(null));
  };
  const [first] = refused;
  return (
    <div className={page['notices']}>
      <Notice
        title={
          making === null
            ? `The samples of ${plural(data.gone + data.lost, 'run')} were let go, to make room`
            : `Making the samples again: ${making.made} of ${plural(making.of, 'run')}`
        }
        actions={
          making === null ? (
            data.gone === 0 ? undefined : (
              <Button size="small" icon="retry" onPress={make}>
                Make them again
              </Button>
            )
          ) : (
            <Button size="small" icon="stop" onPress={() => stop.current.abort()}>
              Stop
            </Button>
          )
        }
      >
        <div>
          {data.gone === 0
            ? 'What the runs came to is all here.'
            : 'What the runs came to is all here. Made once more, those in virtual time have the very same samples.'}
        </div>
        {data.lost === 0 ? null : <div>{`Those of ${plural(data.lost, 'run')} cannot be made again.`}</div>}
        {first === undefined ? null : (
          <div>{`${plural(refused.length, 'run')} could not be made again: ${first.reason}`}</div>
        )}
      </Notice>
      {fault === null ? null : <ProblemNotice error={fault} />}
    </div>
  );
}
