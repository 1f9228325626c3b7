// Of an edited trace: which trace it was made from, what was done to it, and the way to do it again otherwise.
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { z } from 'zod';
import type { TraceEdit } from '#protocol/edit';
import { tracesQuery } from '../../api/queries';
import { inWords, stepsText } from '../edit/steps';

export function EditProvenance({ edit: { source, steps } }: { readonly edit: TraceEdit }) {
  const traces = useQuery(tracesQuery);
  const nameOf = (id: string): string =>
    traces.data?.find((trace) => trace.id === id)?.name ?? `trace ${id.slice(0, 12)}`;
  return (
    <>
      <dt>Edited from</dt>
      <dd>
        <Link to="/traces/$id" params={{ id: source }}>
          {nameOf(source)}
        </Link>
        : {steps.map((step) => inWords(step, nameOf)).join('; ')}.{' '}
        <Link to="/traces/$id/edit" params={{ id: source }} search={{ steps: z.encode(stepsText, steps) }}>
          Edit again from the source
        </Link>
      </dd>
    </>
  );
}
