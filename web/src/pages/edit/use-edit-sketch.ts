// What the steps make of the trace, asked for once they have stood still for a moment; the last answer stays until the next is there.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { EditSketch, type EditStep } from '#protocol/edit';
import { call } from '../../api/client';

const BINS = 600;
const SETTLE_MS = 120;

/** The value, once it has not changed for a moment. */
export function useSettled<T>(value: T): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), SETTLE_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}

export function useEditSketch(trace: string, steps: readonly EditStep[]) {
  return useQuery({
    queryKey: ['traces', trace, 'edit', steps],
    queryFn: ({ signal }) =>
      call(`/traces/${encodeURIComponent(trace)}/edits/sketch?bins=${BINS}`, EditSketch, {
        method: 'POST',
        body: { steps },
        signal,
      }),
    placeholderData: keepPreviousData,
    staleTime: Infinity,
    retry: false,
  });
}
