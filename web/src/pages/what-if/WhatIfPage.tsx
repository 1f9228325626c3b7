// One run that follows the hand: every place of a slider is simulated in this page, and what was there before stays in sight behind it.
import { useMemo } from 'react';
import { PageProblem } from '../about/PageProblem';
import { useCrumbs } from '../frame/crumbs';
import { Loading } from '../../ui/notice';
import { PageHead } from '../../ui/page';
import type { Made } from '../../what-if/make';
import type { Known } from '../../what-if/plan';
import { nameRun } from '../run/describe';
import { firstSpec } from './first-spec';
import { Stage } from './Stage';
import { useKnown } from './use-known';
import { WhatIfActions } from './WhatIfActions';

const RUNS = { label: 'Runs', to: '/runs' };

export function WhatIfPage() {
  useCrumbs('What if', RUNS);
  const { known, error, retry } = useKnown();
  if (error !== null) return <PageProblem what="What if" parent={RUNS} error={error} onRetry={retry} />;
  return known === null ? <Loading label="Loading what there is to move" rows={6} /> : <WhatIf known={known} />;
}

function WhatIf({ known }: { readonly known: Known }) {
  const first = useMemo(() => firstSpec(known.traces), [known.traces]);
  const ccas = useMemo(() => new Map(known.listing.ccas.map((cca) => [cca.id, cca])), [known.listing]);
  const head = (now: Made | null) => {
    const title = now === null ? null : nameRun({ manifest: now.run.manifest, experiments: [] }, ccas).title;
    return (
      <PageHead title="What if" actions={now === null ? null : <WhatIfActions made={now} name={title ?? 'What if'} />}>
        {title ?? 'Move something: every place is simulated here, in this page.'}
      </PageHead>
    );
  };
  return <Stage known={known} first={first} head={head} />;
}
