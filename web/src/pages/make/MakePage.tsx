// The scenario maker: a scenario of the papers, a few sliders, the place and the capacity redrawn as they move; saved as a trace with its recipe.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { Recipe, RecipeList, RecipeSketch } from '#protocol/recipe';
import { makeTrace } from '../../api/actions';
import { recipesQuery } from '../../api/queries';
import { TimeView } from '../../charts/time-view';
import { tellIfPublic } from '../stays-public';
import { Button } from '../../ui/button';
import { Select } from '../../ui/choice';
import { NumberField } from '../../ui/number-field';
import { TextField } from '../../ui/text-field';
import { formatDelay, formatPercent, formatRate } from '../../ui/format';
import { Loading, ProblemNotice } from '../../ui/notice';
import { Facts, PageHead, SearchNotice } from '../../ui/page';
import { text, useSearchState } from '../../ui/search';
import { useCrumbs } from '../frame/crumbs';
import { PrivateSwitch } from '../Private';
import { KnobSlider } from './KnobSlider';
import { knobsOf, ownRecipe, seedOf, withSeed } from './knobs';
import { PlanFigure } from './PlanFigure';
import { SketchChart } from './SketchChart';
import { useSketch } from './use-sketch';
import css from './make.module.css';

const SEARCH = { scenario: { codec: text, initial: 'mmwave-b1' } };

export function MakePage() {
  useCrumbs('Make', { label: 'Traces', to: '/traces' });
  const { search, misread, setSearch } = useSearchState(SEARCH);
  const recipes = useQuery(recipesQuery);
  const scenarios = inOrder(recipes.data ?? []);
  const chosen = scenarios.find(({ id }) => id === search.scenario) ?? scenarios[0];
  return (
    <>
      <PageHead title="Make a trace">
        A user moves through a cellular network, or a link does as it is told. Choose a scenario, change it, and keep
        what comes out. Modelled, not recorded: figures are fitted to what was published.
      </PageHead>
      <SearchNotice misread={misread} />
      {recipes.isPending ? (
        <Loading label="Loading the scenarios" rows={3} height={120} />
      ) : recipes.isError ? (
        <ProblemNotice error={recipes.error} onRetry={() => void recipes.refetch()} />
      ) : chosen === undefined ? null : (
        <Maker
          key={chosen.id}
          scenario={chosen.recipe}
          choice={
            <Select
              label="Scenario"
              value={chosen.id}
              options={scenarios.map(({ id, recipe }) => ({ id, label: recipe.name }))}
              onChange={(scenario) => setSearch({ scenario })}
              help={chosen.recipe.description}
            />
          }
        />
      )}
    </>
  );
}

/** Places first, then links without one. */
const inOrder = (recipes: RecipeList['recipes']): RecipeList['recipes'] => [
  ...recipes.filter(({ recipe }) => recipe.radio !== undefined),
  ...recipes.filter(({ recipe }) => recipe.radio === undefined),
];

interface MakerProps {
  readonly scenario: Recipe;
  readonly choice: React.ReactNode;
}

function Maker({ scenario, choice }: MakerProps) {
  const [recipe, setRecipe] = useState(() => ownRecipe(scenario, scenario.name));
  const [name, setName] = useState(`${scenario.name}, changed`);
  const [isPrivate, setPrivate] = useState(false);
  const { sketch, error } = useSketch(recipe);
  const [view] = useState(() => new TimeView({ extent: [0, 60] }));
  const seed = seedOf(recipe);
  const queries = useQueryClient();
  const navigate = useNavigate();
  const save = useMutation({
    mutationFn: () => makeTrace(queries, ownRecipe(recipe, name), isPrivate),
    onSuccess: (made) => {
      tellIfPublic(made, isPrivate);
      void navigate({ to: '/traces/$id', params: { id: made.id } });
    },
  });
  return (
    <div className={css['maker']}>
      <form
        className={css['controls']}
        onSubmit={(event) => {
          event.preventDefault();
          save.mutate();
        }}
      >
        <div className={css['choice']}>{choice}</div>
        {knobsOf(recipe, scenario).map((knob) => (
          <KnobSlider key={knob.id} knob={knob} onChange={(value) => setRecipe(knob.write(value))} />
        ))}
        {seed === null ? null : (
          <NumberField
            label="Seed"
            value={seed}
            min={0}
            max={4294967295}
            step={1}
            digits={0}
            onChange={(next) => setRecipe((now) => withSeed(now, next))}
            help="Another seed is another day at the same place."
          />
        )}
        <TextField label="Name" value={name} onChange={setName} />
        <PrivateSwitch value={isPrivate} onChange={setPrivate} />
        <div className={css['actions']}>
          <Button kind="primary" type="submit" isDisabled={save.isPending || name.trim() === ''}>
            Save as a trace
          </Button>
          <Button kind="quiet" icon="retry" onPress={() => setRecipe(ownRecipe(scenario, scenario.name))}>
            As it was
          </Button>
        </div>
        {save.isError ? <ProblemNotice error={save.error} /> : null}
      </form>
      <div className={css['result']}>
        {error === null ? null : <ProblemNotice error={error} />}
        {sketch === null ? (
          error === null && <Loading label="Making the first sketch" rows={2} height={160} />
        ) : (
          <>
            <h2 className="visually-hidden">What it makes</h2>
            <SketchChart sketch={sketch} view={view} />
            <div className={sketch.plan === null ? undefined : css['below']}>
              {sketch.plan === null ? null : <PlanFigure sketch={sketch} plan={sketch.plan} view={view} />}
              <SketchFacts sketch={sketch} />
            </div>
          </>
        )}
      </div>
    </div>
  );
}

const SketchFacts = ({ sketch }: { readonly sketch: RecipeSketch }) => (
  <Facts
    facts={[
      { label: 'Mean', value: formatRate(sketch.mean_mbps) },
      {
        label: 'Standard deviation',
        value: formatRate(sketch.std_1s_mbps),
        note: `1 s; ${formatRate(sketch.std_10ms_mbps)} at 10 ms`,
      },
      {
        label: 'Peak',
        value: formatRate(sketch.peak_1s_mbps),
        note: `1 s; ${formatRate(sketch.peak_10ms_mbps)} at 10 ms`,
      },
      {
        label: 'Share under 5 Mbps',
        value: formatPercent(sketch.share_below_5mbps_1s),
        note: `of seconds; ${formatPercent(sketch.share_below_5mbps_10ms)} of 10 ms`,
      },
      { label: 'Longest gap', value: formatDelay(sketch.longest_gap_ms), note: 'without any opportunity' },
    ]}
  />
);
