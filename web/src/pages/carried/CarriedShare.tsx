// A frozen view that a link brought along: what it is, what would run, and the button that makes it here.
import { useQuery } from '@tanstack/react-query';
import { sharedPage } from '#protocol/share';
import { enginesQuery } from '../../api/queries';
import { readCarriedShare, type Carried, type CarriedShare as Share } from '../../share/carried';
import { Note } from '../../share/Note';
import { KINDS } from '../../share/kinds';
import { Button } from '../../ui/button';
import { day, plural } from '../../ui/format';
import { Loading, Notice, ProblemNotice } from '../../ui/notice';
import { Facts, PageHead } from '../../ui/page';
import { Crumbs, type Crumb } from '../frame/crumbs';
import { Contents, Texts, textsFor } from './Contents';
import { useCarriedShare, type Made } from './use-carried-share';
import css from './carried.module.css';

interface CarriedProps {
  readonly slug: string;
  readonly parent: Required<Crumb>;
  readonly hash: string;
}

export function CarriedShare({ slug, parent, hash }: CarriedProps) {
  const { data, error } = useQuery({
    queryKey: ['carried', slug, hash],
    queryFn: () => readCarriedShare(slug, hash),
    staleTime: Infinity,
    retry: false,
  });
  if (data !== undefined)
    return <Offer slug={slug} parent={parent} hash={hash} share={data} algorithms={data.algorithms} />;
  return (
    <>
      <Crumbs label="This share" parent={parent} />
      <PageHead title="This share cannot be shown" />
      {error === null ? <Loading label="Reading the link" /> : <ProblemNotice error={error} />}
    </>
  );
}

interface OfferProps extends CarriedProps {
  readonly share: Share;
  readonly algorithms: Carried['algorithms'];
}

function Offer({ slug, parent, hash, share, algorithms }: OfferProps) {
  const { title, note, address, created_at, engine_version, experiments } = share;
  const { data: engines } = useQuery(enginesQuery);
  const needed = experiments.flatMap((spec) => textsFor(spec, algorithms));
  const texts = [...new Map(needed.map((text) => [text.id, text])).values()];
  const { made, fault, make } = useCarriedShare(slug, share, texts);
  const kind = sharedPage(address)?.kind;
  // Another engine’s runs are other runs, at other addresses.
  const isOther =
    experiments.length > 0 &&
    typeof engines?.engine_version === 'string' &&
    engine_version !== '' &&
    engines.engine_version !== engine_version;
  return (
    <>
      <Crumbs label={title} parent={parent} />
      <PageHead title={title} />
      <section className={css['offer']} aria-label="Before it is made">
        <h2>Nothing of it has run here yet</h2>
        <Note text={note} />
        <p>{WHAT_COMES[experiments.length === 0 ? 'site' : 'runs']}</p>
        <Facts
          facts={[
            { label: 'A view of', value: kind === undefined ? address : KINDS[kind] },
            { label: 'Frozen', value: day(created_at) },
            ...(engine_version === '' ? [] : [{ label: 'By engine', value: engine_version.slice(0, 12) }]),
          ]}
        />
        {experiments.map((spec, i) => (
          <div key={i} className={css['part']}>
            <h3>{spec.name === '' ? 'An experiment' : spec.name}</h3>
            <Contents spec={spec} texts={textsFor(spec, algorithms)} />
          </div>
        ))}
        {texts.length === 0 ? null : <Texts texts={texts} hash={hash} />}
        {fault === null ? null : <ProblemNotice error={fault} />}
        {isOther ? (
          <Notice title="This site has another engine">
            Its runs would be others than those that were frozen. Ask whoever sent the link for the offline file of the
            view, which carries its figures along.
          </Notice>
        ) : (
          <div className={css['actions']}>
            <Button kind="primary" icon="play" size="large" isDisabled={made !== null} onPress={make}>
              {made === null ? ACTIONS[experiments.length === 0 ? 'site' : 'runs'] : standing(made)}
            </Button>
          </div>
        )}
      </section>
    </>
  );
}

const WHAT_COMES = {
  runs: 'Somebody froze this view and sent you the link, which brings along what is to be run and no results. They are made anew and come out the same, and the view is then kept in this browser.',
  site: 'Somebody froze this view and sent you the link. What it shows is asked of this site, nothing has to be run, and the view is then kept in this browser.',
};
const ACTIONS = { runs: 'Run it here', site: 'Keep it here' };

const standing = ({ done, total }: Made): string =>
  total === 0 || done === total ? 'Freezing …' : `${done} of ${plural(total, 'run')} …`;
