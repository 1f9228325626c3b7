// An experiment that a link brought along: what it is, what would run, and the button that runs it.
import { useQuery } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import type { ExperimentSpec } from '#protocol/spec';
import type { Thing } from '../../api/labels';
import { readCarried } from '../../share/carried';
import { Button } from '../../ui/button';
import { lazyPart } from '../../ui/lazy-part';
import { Loading, ProblemNotice } from '../../ui/notice';
import { PageHead } from '../../ui/page';
import { Crumbs, type Crumb } from '../frame/crumbs';
import { Contents, Texts, textsFor, type CarriedText } from './Contents';
import { useCarriedRun } from './use-carried-run';
import css from './carried.module.css';

const SpecDialog = lazyPart(async () => ({ default: (await import('../experiment/SpecDialog')).SpecDialog }));

interface CarriedProps {
  /** What the address is of: `This run`. */
  readonly what: string;
  readonly parent: Required<Crumb>;
  readonly thing: Thing;
  readonly hash: string;
}

export function CarriedExperiment({ what, parent, thing, hash }: CarriedProps) {
  const { data, error } = useQuery({
    queryKey: ['carried', hash],
    queryFn: async () => {
      const { experiment, algorithms } = await readCarried(hash);
      if (experiment === null) return null;
      return { experiment, texts: textsFor(experiment, algorithms) };
    },
    staleTime: Infinity,
    retry: false,
  });
  if (data !== undefined && data !== null)
    return <Offer parent={parent} thing={thing} hash={hash} spec={data.experiment} texts={data.texts} />;
  return (
    <>
      <Crumbs label={what} parent={parent} />
      <PageHead title={`${what} cannot be shown`} />
      {error !== null || data === null ? (
        <ProblemNotice error={error ?? new Error('The link brings along no experiment.')} />
      ) : (
        <Loading label="Reading the link" />
      )}
    </>
  );
}

interface OfferProps {
  readonly parent: Required<Crumb>;
  readonly thing: Thing;
  readonly hash: string;
  readonly spec: ExperimentSpec;
  /** Own algorithms that it needs. */
  readonly texts: readonly CarriedText[];
}

function Offer({ parent, thing, hash, spec, texts }: OfferProps) {
  const { running, fault, run } = useCarriedRun(thing, spec, texts);
  const [open, setOpen] = useState(false);
  const title = spec.name === '' ? 'An experiment' : spec.name;
  return (
    <>
      <Crumbs label={title} parent={parent} />
      <PageHead title={title}>{spec.note}</PageHead>
      <section className={css['offer']} aria-label="Before it runs">
        <h2>Nothing of it has run here yet</h2>
        <p>
          Somebody made this experiment and sent you the link, which brings along what is to be run and no results. They
          are made anew, and come out the same.
        </p>
        <Contents spec={spec} texts={texts} />
        {texts.length === 0 ? null : <Texts texts={texts} hash={hash} />}
        {fault === null ? null : <ProblemNotice error={fault} />}
        <div className={css['actions']}>
          <Button kind="primary" icon="play" size="large" isDisabled={running} onPress={run}>
            {running ? 'Starting …' : 'Run it here'}
          </Button>
          <Button icon="braces" size="large" onPress={() => setOpen(true)}>
            Spec
          </Button>
        </div>
      </section>
      {open ? (
        <Suspense fallback={null}>
          <SpecDialog spec={spec} onClose={() => setOpen(false)} />
        </Suspense>
      ) : null}
    </>
  );
}
