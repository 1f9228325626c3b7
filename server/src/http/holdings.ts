// How much of the data folder is whose.
import { HoldingList } from '#protocol/holdings';
import type { Lab } from '../lab.ts';
import { callerOf } from './callers.ts';
import { makerOf } from './owners.ts';
import { defineRoute, untilGone, type Route } from './route.ts';

export const holdingRoutes = ({ holdings }: Lab): Route[] => [
  defineRoute({
    method: 'get',
    path: '/holdings',
    tag: 'access',
    summary: 'How much of the data folder you hold; for an operator: how much everybody does',
    description:
      'What is deleted and what is to be made counts. With `--max-data-each` nobody but operators may hold more; what is everybody’s is nobody’s.',
    answers: { 200: { description: 'As it stands', schema: HoldingList } },
    errors: [],
    handle: async (_input, _req, res): Promise<HoldingList> => {
      const { most } = holdings;
      const maker = makerOf(res);
      const gone = untilGone(res);
      if (maker !== null && callerOf(res)?.role !== 'operator')
        return { most, holdings: [await holdings.of(maker, gone)] };
      return { most, holdings: await holdings.all(gone) };
    },
  }),
];
