// What the engine can run: each algorithm in its own words.
import { useQuery } from '@tanstack/react-query';
import { isCompetitor } from '#analysis/kinds';
import type { CcaDescriptor, ParamDescriptor, QueueDescriptor, UnavailableCca } from '#protocol/cca';
import { enginesQuery, fidelityQuery } from '../../api/queries';
import { useCrumbs } from '../frame/crumbs';
import { STACKS } from '../stacks';
import { CcaMark } from '../../ui/cca-mark';
import { formatChosen } from '../../ui/format';
import { Loading, Notice, ProblemNotice } from '../../ui/notice';
import { Badge, PageHead, Section } from '../../ui/page';
import { Checks } from './Checks';
import css from './about.module.css';

export function CcasPage() {
  useCrumbs('CCAs');
  const engines = useQuery(enginesQuery);
  return (
    <>
      <PageHead title="Congestion-control algorithms">
        What each one believes about the network, where it is defined, and what can be changed. Colour and marker are
        the same in every figure. <Checked />
      </PageHead>
      {engines.isPending ? (
        <Loading label="Loading algorithms" rows={4} height={120} />
      ) : engines.isError ? (
        <ProblemNotice error={engines.error} onRetry={() => void engines.refetch()} />
      ) : (
        <>
          <Cards title="Competitors" ccas={engines.data.ccas.filter((cca) => cca.kind === 'sender')} />
          <Cards
            title="References"
            note="They know the trace: no sender can be beyond them, so they show how far there is to go."
            ccas={engines.data.ccas.filter((cca) => !isCompetitor(cca))}
          />
          {STACKS.map(({ kind, title, note }) => {
            const missing = engines.data.unavailable.find((entry) => entry.kind === kind && entry.id === undefined);
            return missing === undefined ? (
              <Cards key={kind} title={title} note={note} ccas={engines.data.ccas.filter((cca) => cca.kind === kind)} />
            ) : (
              <Section key={kind} title={title} note={note}>
                <Notice kind="warning" title="Not available here">
                  {missing.reason}
                </Notice>
              </Section>
            );
          })}
          <Unavailable ccas={engines.data.unavailable} />
          <Section title="Queue disciplines" note="Who is refused or dropped when the queue grows.">
            <div className={css['ccas']}>
              {engines.data.queues.map((queue) => (
                <Queue key={queue.id} queue={queue} />
              ))}
            </div>
          </Section>
        </>
      )}
    </>
  );
}

/** Of which engine the checks on the cards are. */
function Checked() {
  const { data } = useQuery(fidelityQuery);
  if (data === undefined) return null;
  return (
    <>
      {data.findings.length} checks against papers, the Linux kernel and the authors’ programs stand on their cards, as
      engine <code>{data.engine_version}</code> met them (<code>npm run fidelity</code>).
    </>
  );
}

function Unavailable({ ccas }: { readonly ccas: readonly UnavailableCca[] }) {
  const single = ccas.filter(({ id }) => id !== undefined);
  if (single.length === 0) return null;
  return (
    <Section title="Unavailable on this machine" note="Offered by its operator, but they cannot be had here.">
      <dl className={css['unavailable']}>
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

function Cards({
  title,
  note,
  ccas,
}: {
  readonly title: string;
  readonly note?: string;
  readonly ccas: readonly CcaDescriptor[];
}) {
  const fidelity = useQuery(fidelityQuery);
  if (ccas.length === 0) return null;
  return (
    <Section title={title} note={note}>
      <div className={css['ccas']}>
        {ccas.map((cca) => (
          <article key={cca.id} className={css['cca']} id={cca.id}>
            <div className={css['name']}>
              <CcaMark cca={cca} size={18} />
              <h3>{cca.label}</h3>
              <code>{cca.id}</code>
              <Badge>{cca.family}</Badge>
              {cca.baseline ? <Badge>baseline</Badge> : null}
              {cca.engines.length === 1 ? (
                <Badge>{cca.engines[0] === 'virtual' ? 'virtual time only' : 'real time only'}</Badge>
              ) : null}
            </div>
            <p>{cca.summary}</p>
            {cca.unavailable === undefined ? null : (
              <Notice kind="warning" title="Not available here">
                {cca.unavailable}
              </Notice>
            )}
            <Params params={cca.params} />
            {cca.internals.length === 0 ? null : (
              <div className={css['internals']} role="group" aria-label="What it shows of its inside">
                {cca.internals.map((internal) => (
                  <Badge key={internal.name}>
                    {internal.unit === '' ? internal.label : `${internal.label}, ${internal.unit}`}
                  </Badge>
                ))}
              </div>
            )}
            <Checks
              label={cca.label}
              findings={fidelity.data?.findings.filter((finding) => finding.ccas.includes(cca.id)) ?? []}
            />
            <p className={css['source']}>{cca.source}</p>
          </article>
        ))}
      </div>
    </Section>
  );
}

const Queue = ({ queue }: { readonly queue: QueueDescriptor }) => (
  <article className={css['cca']}>
    <div className={css['name']}>
      <h3>{queue.label}</h3>
      <code>{queue.id}</code>
      {queue.limited ? null : <Badge>no limit</Badge>}
    </div>
    <p>{queue.summary}</p>
    <Params params={queue.params} />
    <p className={css['source']}>{queue.source}</p>
  </article>
);

const Params = ({ params }: { readonly params: readonly ParamDescriptor[] }) =>
  params.length === 0 ? null : (
    <dl className={css['params']}>
      {params.map((param) => (
        <div key={param.name}>
          <dt>{param.label}</dt>
          <dd>
            {typeof param.default === 'number' ? formatChosen(param.default) : String(param.default)} {param.unit}
          </dd>
          <dd className={css['help']}>{param.help}</dd>
        </div>
      ))}
    </dl>
  );
