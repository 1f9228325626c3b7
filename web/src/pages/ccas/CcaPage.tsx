// One algorithm, or two beside each other: how it works, a short run that plays, parameters to play with, checks, sources.
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useEffect, useMemo } from 'react';
import type { CcaDescriptor, EngineListing } from '#protocol/cca';
import type { CcaAbout, CcaAbouts } from '#protocol/cca-about';
import { aboutCcasQuery } from '../../api/ccas';
import { enginesQuery } from '../../api/queries';
import { ApiError } from '../../api/client';
import { PageProblem } from '../about/PageProblem';
import { useCrumbs } from '../frame/crumbs';
import { usePageId } from '../page-id';
import { buttonClass } from '../../ui/button';
import { CcaMark } from '../../ui/cca-mark';
import { Select } from '../../ui/choice';
import { Loading, Notice } from '../../ui/notice';
import { Badge, PageHead, SearchNotice } from '../../ui/page';
import { useSearchState } from '../../ui/search';
import { CcaNotesSection, CheckSection, FixedParams, InsideSection, SourceSection } from './CcaRecord';
import { CCA_SEARCH, type CcaSearchState } from './cca-search';
import { familyOf } from './families';
import { readParams } from './param-text';
import { SampleSection } from './SampleSection';
import css from './ccas.module.css';

const HOME = { label: 'CCAs', to: '/ccas' };

export function CcaPage() {
  const id = usePageId();
  return id.startsWith('own-') ? <Own id={id} /> : <Shipped id={id} />;
}

/** What somebody wrote is read before anything of it runs. */
function Own({ id }: { readonly id: string }) {
  const navigate = useNavigate();
  useEffect(() => void navigate({ to: '/write/$id', params: { id }, replace: true }), [id, navigate]);
  return null;
}

function Shipped({ id }: { readonly id: string }) {
  const engines = useQuery(enginesQuery);
  const about = useQuery(aboutCcasQuery);
  const cca = engines.data?.ccas.find((one) => one.id === id);
  const error =
    engines.error ?? about.error ?? (engines.data !== undefined && cca === undefined ? unknownCca(id) : null);
  if (error !== null)
    return (
      <PageProblem
        what="This algorithm"
        parent={HOME}
        error={error}
        onRetry={() => void Promise.all([engines.refetch(), about.refetch()])}
      />
    );
  if (engines.data === undefined || about.data === undefined || cca === undefined)
    return <Loading label="Loading the algorithm" rows={4} height={120} />;
  return <Cca key={id} cca={cca} listing={engines.data} told={about.data} />;
}

const unknownCca = (id: string): ApiError =>
  new ApiError({
    type: 'urn:paceline:problem:cca-unknown',
    title: 'There is no such algorithm',
    status: 404,
    code: 'CCA_UNKNOWN',
    detail: `The engine of this server lists no algorithm ${id}.`,
    hint: 'All that it has stand under CCAs; others may be set up by whoever runs the server.',
  });

interface CcaProps {
  readonly cca: CcaDescriptor;
  readonly listing: EngineListing;
  readonly told: CcaAbouts;
}

/** What somebody wrote has a page of its own, where it is read before it runs. */
const shippedOf = ({ ccas }: EngineListing): CcaDescriptor[] => ccas.filter(({ own }) => own === undefined);

function Cca({ cca, listing, told }: CcaProps) {
  const searchState = useSearchState(CCA_SEARCH);
  const { search, misread } = searchState;
  const ccas = useMemo(() => new Map(shippedOf(listing).map((one) => [one.id, one])), [listing]);
  const about = useMemo(() => new Map(told.about.map((one) => [one.id, one])), [told]);
  const other = search.with === cca.id ? undefined : ccas.get(search.with);
  const both = other === undefined ? [cca] : [cca, other];
  const title = both.map(({ label }) => label).join(' beside ');
  useCrumbs(title, HOME);
  return (
    <>
      <PageHead
        heading={
          <h1 className={css['title']}>
            <CcaMark cca={cca} size={22} />
            {title}
          </h1>
        }
        actions={<Actions cca={cca} other={other} listing={listing} searchState={searchState} />}
      >
        {other === undefined ? <Facts cca={cca} /> : 'The same link, the same axes, one cross-hair for both.'}
      </PageHead>
      <div className={css['notices']}>
        <SearchNotice misread={misread} />
        {search.with !== '' && other === undefined ? (
          <Notice kind="warning" title="There is nothing to compare with">
            {search.with === cca.id
              ? 'An algorithm beside itself is the same twice; choose another, or change a parameter.'
              : `The engine lists no algorithm ${search.with}.`}
          </Notice>
        ) : null}
      </div>
      <div className={css['pair']} data-two={other === undefined ? undefined : ''}>
        {both.map((one) => (
          <HowItWorks key={one.id} cca={one} about={about.get(one.id)} ccas={ccas} named={other !== undefined} />
        ))}
      </div>
      <SampleSection
        shown={both}
        ccas={ccas}
        about={about}
        links={told.links}
        queues={listing.queues}
        searchState={searchState}
      />
      <div className={css['pair']} data-two={other === undefined ? undefined : ''}>
        {both.map((one) => (
          <Record key={one.id} cca={one} about={about.get(one.id)} named={other !== undefined} />
        ))}
      </div>
    </>
  );
}

const Record = ({
  cca,
  about,
  named,
}: {
  readonly cca: CcaDescriptor;
  readonly about: CcaAbout | undefined;
  readonly named: boolean;
}) => (
  <div className={css['record']}>
    <CcaNotesSection cca={cca} named={named} />
    <CheckSection cca={cca} named={named} />
    <FixedParams cca={cca} named={named} />
    <InsideSection cca={cca} named={named} />
    <SourceSection cca={cca} about={about} named={named} />
  </div>
);

const Facts = ({ cca }: { readonly cca: CcaDescriptor }) => (
  <span className={css['name']}>
    <code>{cca.id}</code>
    <Link to="/ccas" search={{ family: cca.family }}>
      {familyOf(cca.family).title}
    </Link>
    {cca.baseline ? <Badge>baseline</Badge> : null}
    {cca.engines.length > 1 ? null : (
      <Badge>{cca.engines[0] === 'virtual' ? 'virtual time only' : 'real time only'}</Badge>
    )}
  </span>
);

const NONE = 'none';

interface ActionsProps {
  readonly cca: CcaDescriptor;
  readonly other: CcaDescriptor | undefined;
  readonly listing: EngineListing;
  readonly searchState: CcaSearchState;
}

function Actions({ cca, other, listing, searchState: { search, setSearch } }: ActionsProps) {
  const options = [
    { id: NONE, label: other === undefined ? 'Compare with …' : 'Nothing beside it' },
    ...shippedOf(listing)
      .filter(({ id }) => id !== cca.id)
      .map(({ id, label }) => ({ id, label })),
  ];
  const chosen = [cca, ...(other === undefined ? [] : [other])].map(({ id }) => id).join();
  // Values that are none fill no form.
  const params = other === undefined && readParams(search.p, cca.params).misread.length === 0 ? search.p.join() : '';
  return (
    <>
      <div className={css['compare']}>
        <Select
          label="Compare with"
          hideLabel
          value={other?.id ?? NONE}
          options={options}
          onChange={(id) => setSearch({ with: id === NONE ? '' : id, wp: [], over: [], at: null, hide: [] })}
        />
      </div>
      <Link
        to="/new"
        search={{ cca: chosen, ...(params === '' ? {} : { p: params }) }}
        className={buttonClass({ kind: 'primary' })}
      >
        {other === undefined ? 'Run an experiment with it' : 'Run an experiment with both'}
      </Link>
    </>
  );
}

interface HowItWorksProps {
  readonly cca: CcaDescriptor;
  readonly about: CcaAbout | undefined;
  readonly ccas: ReadonlyMap<string, CcaDescriptor>;
  readonly named: boolean;
}

function HowItWorks({ cca, about, ccas, named }: HowItWorksProps) {
  const ours = about?.of === undefined ? undefined : ccas.get(about.of);
  return (
    <section className={css['how']} aria-label={`How ${cca.label} works`}>
      {named ? (
        <h2>
          <CcaMark cca={cca} size={16} />{' '}
          <Link to="/ccas/$id" params={{ id: cca.id }}>
            {cca.label}
          </Link>
        </h2>
      ) : null}
      <p className={css['lead']}>{cca.summary}</p>
      {about === undefined ? (
        <p>It was set up by whoever runs this server, and this is all that is said of it.</p>
      ) : (
        <p>{about.how}</p>
      )}
      {ours === undefined ? null : (
        <p className={css['quiet']}>
          The algorithm itself:{' '}
          <Link to="/ccas/$id" params={{ id: ours.id }}>
            {ours.label}
          </Link>
          , as the engine runs it in virtual time, with parameters to play with.
        </p>
      )}
      {cca.unavailable === undefined ? null : (
        <Notice kind="warning" title="Not available here">
          {cca.unavailable}
        </Notice>
      )}
    </section>
  );
}
