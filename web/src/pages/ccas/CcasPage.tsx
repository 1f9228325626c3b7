// What the engine can run, by family: what is looked for is in the address.
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useMemo } from 'react';
import { isOffered } from '#analysis/kinds';
import type { CcaDescriptor, EngineListing, UnavailableCca } from '#protocol/cca';
import type { CcaAbout } from '#protocol/cca-about';
import { aboutCcasQuery } from '../../api/ccas';
import { enginesQuery, fidelityQuery } from '../../api/queries';
import { useCrumbs } from '../frame/crumbs';
import { Chip, Chips } from '../new/Chip';
import { STACKS } from '../stacks';
import { Button } from '../../ui/button';
import { CcaMark } from '../../ui/cca-mark';
import { plural } from '../../ui/format';
import { Empty, Loading, Notice, ProblemNotice } from '../../ui/notice';
import { buttonClass } from '../../ui/button';
import { Badge, PageHead, SearchNotice, Section } from '../../ui/page';
import { text, useSearchState } from '../../ui/search';
import { byFamily, familyOf, findCcas } from './families';
import { QueueCards } from './QueueCards';
import css from './ccas.module.css';

const SEARCH = {
  q: { codec: text, initial: '' },
  /** As the engine names it; empty: all. */
  family: { codec: text, initial: '' },
};

export function CcasPage() {
  useCrumbs('CCAs');
  const engines = useQuery(enginesQuery);
  const about = useQuery(aboutCcasQuery);
  const error = engines.error ?? about.error;
  return (
    <>
      <PageHead
        title="Congestion-control algorithms"
        actions={
          <>
            <Link to="/learn" className={buttonClass({})}>
              Lessons
            </Link>
            <Link to="/write" className={buttonClass({})}>
              Write your own
            </Link>
          </>
        }
      >
        What each one believes about the network and does about it: in words, in a short run that plays, and with
        parameters to play with. Colour and marker are the same in every figure. <Checked />
      </PageHead>
      {error !== null ? (
        <ProblemNotice error={error} onRetry={() => void Promise.all([engines.refetch(), about.refetch()])} />
      ) : engines.data === undefined || about.data === undefined ? (
        <Loading label="Loading algorithms" rows={4} height={120} />
      ) : (
        <Index listing={engines.data} about={about.data.about} />
      )}
    </>
  );
}

/** Of which engine the checks are. */
function Checked() {
  const { data } = useQuery(fidelityQuery);
  if (data === undefined) return null;
  return (
    <>
      {data.findings.length} checks against papers, the Linux kernel and the authors’ programs stand on their pages, as
      engine <code data-version="">{data.engine_version}</code> met them (<code>npm run fidelity</code>).
    </>
  );
}

function Index({ listing, about }: { readonly listing: EngineListing; readonly about: readonly CcaAbout[] }) {
  const { search, misread, setSearch } = useSearchState(SEARCH);
  const told = useMemo(() => new Map(about.map((one) => [one.id, one])), [about]);
  const offered = listing.ccas.filter(isOffered);
  const found = findCcas(offered, told, search.q);
  const groups = byFamily(found).filter(({ id }) => search.family === '' || id === search.family);
  const shown = groups.reduce((sum, { ccas }) => sum + ccas.length, 0);
  // Links to a card were made when all stood on one page; the cards are here only now.
  useEffect(() => document.getElementById(window.location.hash.slice(1))?.scrollIntoView(), []);
  const isAll = search.q === '' && search.family === '';
  return (
    <>
      <SearchNotice misread={misread} />
      <div className={css['filters']}>
        <div className={css['search']}>
          <input
            type="search"
            aria-label="Search algorithms"
            placeholder="Name, or what it does: saw-tooth, forecast …"
            spellCheck={false}
            autoComplete="off"
            value={search.q}
            onChange={(event) => setSearch({ q: event.target.value }, { replace: true })}
          />
        </div>
        <FamilyChips all={offered} found={found} chosen={search.family} onChange={(family) => setSearch({ family })} />
        <span className={css['count']} role="status">
          {isAll ? plural(shown, 'algorithm') : `${shown} of ${plural(offered.length, 'algorithm')}`}
        </span>
      </div>
      {groups.length === 0 ? (
        <Empty
          title="No algorithm is like that"
          action={<Button onPress={() => setSearch({ q: '', family: '' })}>Show all</Button>}
        >
          Every word must stand in its name, its family or what is said of it.
        </Empty>
      ) : null}
      {groups.map(({ id, title, note, ccas }) => (
        <Section key={id} title={title} note={note}>
          <ul className={css['cards']}>
            {ccas.map((cca) => (
              <Card key={cca.id} cca={cca} about={told.get(cca.id)} />
            ))}
          </ul>
        </Section>
      ))}
      {isAll ? (
        <>
          <Missing listing={listing} />
          <QueueCards queues={listing.queues} />
        </>
      ) : null}
    </>
  );
}

interface FamilyChipsProps {
  readonly all: readonly CcaDescriptor[];
  readonly found: readonly CcaDescriptor[];
  readonly chosen: string;
  readonly onChange: (family: string) => void;
}

function FamilyChips({ all, found, chosen, onChange }: FamilyChipsProps) {
  const count = (id: string): number => found.filter(({ family }) => family === id).length;
  const known = byFamily(all).map(({ id }) => id);
  // A link to a family that is not here shows that it is chosen.
  const ids = chosen === '' || known.includes(chosen) ? known : [...known, chosen];
  return (
    <Chips label="Family">
      {ids.map((id) => (
        <Chip
          key={id}
          label={familyOf(id).title}
          count={count(id)}
          isOn={id === chosen}
          isDisabled={count(id) === 0 && id !== chosen}
          onChange={(on) => onChange(on ? id : '')}
        />
      ))}
    </Chips>
  );
}

/** Of what runs an algorithm of ours elsewhere the first sentence says where; the rest stands at ours. */
const briefOf = ({ summary }: CcaDescriptor, about: CcaAbout | undefined): string =>
  about?.of === undefined ? summary : (/^.*?\.(?=\s|$)/.exec(summary)?.[0] ?? summary);

function Card({ cca, about }: { readonly cca: CcaDescriptor; readonly about: CcaAbout | undefined }) {
  const { data } = useQuery(fidelityQuery);
  const checks = data?.findings.filter(({ ccas }) => ccas.includes(cca.id)).length ?? 0;
  return (
    <li className={css['card']} id={cca.id}>
      <div className={css['name']}>
        <CcaMark cca={cca} size={18} />
        <h3>
          <Link to="/ccas/$id" params={{ id: cca.id }}>
            {cca.label}
          </Link>
        </h3>
        <code>{cca.id}</code>
        {cca.baseline ? <Badge>baseline</Badge> : null}
      </div>
      <p>{briefOf(cca, about)}</p>
      {cca.unavailable === undefined ? null : (
        <Notice kind="warning" title="Not available here">
          {cca.unavailable}
        </Notice>
      )}
      <p className={css['facts']}>
        {[
          cca.params.length === 0 ? null : plural(cca.params.length, 'parameter'),
          checks === 0 ? null : plural(checks, 'check'),
          cca.engines.length > 1 ? null : cca.engines[0] === 'virtual' ? 'virtual time only' : 'real time only',
        ]
          .filter(Boolean)
          .join(' · ')}
      </p>
    </li>
  );
}

/** Stacks and programs that this machine cannot have, and why. */
function Missing({ listing }: { readonly listing: EngineListing }) {
  const stacks = STACKS.flatMap(({ kind, title }) => {
    const missing = listing.unavailable.find((entry) => entry.kind === kind && entry.id === undefined);
    return missing === undefined ? [] : [{ title, reason: missing.reason }];
  });
  const single = listing.unavailable.filter((one): one is UnavailableCca & { id: string } => one.id !== undefined);
  if (stacks.length === 0 && single.length === 0) return null;
  return (
    <Section title="Unavailable on this machine" note="Offered by its operator, or by other machines.">
      <dl className={css['unavailable']}>
        {stacks.map(({ title, reason }) => (
          <div key={title}>
            <dt>{title}</dt>
            <dd>{reason}</dd>
          </div>
        ))}
        {single.map(({ id, label, reason }) => (
          <div key={id}>
            <dt>
              {label} <code>{id}</code>
            </dt>
            <dd>{reason}</dd>
          </div>
        ))}
      </dl>
    </Section>
  );
}
