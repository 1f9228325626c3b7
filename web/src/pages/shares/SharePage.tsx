// /s/<slug>: a view as it was frozen. Without a query it opens as it was left; with one, as somebody has looked around in it since.
import { useQuery } from '@tanstack/react-query';
import { useLocation, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { Suspense, useEffect, useMemo, useState } from 'react';
import { sharedPage, type ShareAnswers } from '#protocol/share';
import { asApiError } from '../../api/client';
import { loadShared, shareFileUrl, shareQuery } from '../../api/shares';
import { FrozenPage, ShareFrame } from '../../share/ShareView';
import type { LoadRun } from '../../share/frozen-feeds';
import { isCarrying, linkHere } from '../../share/link';
import { buttonClass } from '../../ui/button';
import { CopyButton } from '../../ui/copy-button';
import { Icon } from '../../ui/icons';
import { lazyPart } from '../../ui/lazy-part';
import { Loading } from '../../ui/notice';
import { hrefOf } from '../../ui/place';
import { parseSearch, type RawSearch } from '../../ui/search';
import { PageProblem } from '../about/PageProblem';

const SHARES = { label: 'Frozen shares', to: '/s' };

const CarriedShare = lazyPart(async () => ({ default: (await import('../carried/CarriedShare')).CarriedShare }));

export function SharePage() {
  const { slug = '' }: { readonly slug?: string } = useParams({ strict: false });
  const hash = useLocation({ select: (location) => location.hash });
  const kept = useQuery(shareQuery(slug));
  if (kept.isError && isCarrying(hash) && asApiError(kept.error).problem.status === 404)
    return (
      <Suspense fallback={null}>
        <CarriedShare slug={slug} parent={SHARES} hash={hash} />
      </Suspense>
    );
  if (kept.isError)
    return <PageProblem what="This share" parent={SHARES} error={kept.error} onRetry={() => void kept.refetch()} />;
  if (kept.data === undefined) return <Loading label="Loading the share" rows={3} height={140} />;
  return <Shown key={slug} kept={kept.data} />;
}

/** Brings the view's query into an address that has none, and takes away what a link brought along: from then on the address says all. */
function usePlaced(view: RawSearch): boolean {
  const raw: RawSearch = useSearch({ strict: false });
  const hash = useLocation({ select: (location) => location.hash });
  const navigate = useNavigate();
  const [search] = useState(() => (Object.keys(raw).length > 0 ? raw : view));
  const [placed, setPlaced] = useState(
    () => !isCarrying(hash) && Object.keys(search).length === Object.keys(raw).length,
  );
  useEffect(() => {
    if (!placed) void navigate({ to: '.', search, replace: true, resetScroll: false }).then(() => setPlaced(true));
  }, [placed, navigate, search]);
  return placed;
}

function Shown({ kept }: { readonly kept: ShareAnswers }) {
  const { share } = kept;
  const [view] = useState(() => parseSearch(sharedPage(share.address)?.query ?? ''));
  const placed = usePlaced(view);
  const { slug } = share;
  const loadRun = useMemo<LoadRun>(() => (run, signal) => loadShared(slug, run, signal), [slug]);
  return (
    <ShareFrame
      kept={kept}
      loadRun={loadRun}
      actions={
        <>
          <CopyButton size="small" icon="share" text={linkHere}>
            Copy link
          </CopyButton>
          <a className={buttonClass({ size: 'small' })} href={hrefOf(share.address)}>
            Open live view
          </a>
          <a className={buttonClass({ size: 'small' })} href={shareFileUrl(share.slug)} download={`${share.slug}.html`}>
            <Icon name="download" />
            Offline file
          </a>
        </>
      }
    >
      {placed ? <FrozenPage kind={share.kind} /> : null}
    </ShareFrame>
  );
}
