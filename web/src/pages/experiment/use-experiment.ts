// An experiment as the server knows it, kept up to date by the socket.
import { useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { ExperimentRecord } from '#protocol/api';
import { experimentQuery } from '../../api/queries';
import { useFrozen } from '../../share/frozen';
import { type ExperimentMessage, liveClient } from '../../live/live-client';
import { applyMessages } from './apply-messages';
import { keepCountsSame } from './same-counts';

export function useExperiment(id: string): UseQueryResult<ExperimentRecord> {
  const queries = useQueryClient();
  const query = useQuery(experimentQuery(id));
  const isFrozen = useFrozen() !== null;
  useEffect(() => {
    if (isFrozen) return;
    const { queryKey } = experimentQuery(id);
    const stopSame = keepCountsSame(queries, id);
    let waiting: ExperimentMessage[] = [];
    let frame: number | null = null;
    // A sweep may end hundreds of runs per second: they are taken in once per animation frame.
    const flush = (): void => {
      frame = null;
      // What is told while the first answer is on its way may be newer than that.
      if (queries.getQueryState(queryKey)?.status === 'pending') {
        frame = requestAnimationFrame(flush);
        return;
      }
      const messages = waiting;
      waiting = [];
      queries.setQueryData(queryKey, (record) => (record === undefined ? undefined : applyMessages(record, messages)));
    };
    const unwatch = liveClient.watchExperiment(id, (message) => {
      waiting.push(message);
      frame ??= requestAnimationFrame(flush);
    });
    // What happened while the connection was lost is in nobody's messages.
    let before = liveClient.connection;
    const stop = liveClient.subscribeConnection(() => {
      if (liveClient.connection === 'open' && before === 'lost') void queries.invalidateQueries({ queryKey });
      before = liveClient.connection;
    });
    return () => {
      if (frame !== null) cancelAnimationFrame(frame);
      unwatch();
      stop();
      stopSame();
    };
  }, [id, queries, isFrozen]);
  return query;
}
