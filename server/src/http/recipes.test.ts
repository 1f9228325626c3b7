import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Problem, TraceList, TraceRecord } from '#protocol/api';
import { Recipe, RecipeList, RecipeSketch } from '#protocol/recipe';
import { TraceMarks } from '#protocol/trace';
import { TestServer } from '../testing/server.ts';

let server: TestServer;
let street: Recipe;
let cityDrive: Recipe;
beforeAll(async () => {
  server = await TestServer.start();
  const { recipes } = await server.json('/recipes', RecipeList);
  const { recipe } = recipes.find(({ id }) => id === 'mmwave-b4') ?? { recipe: null };
  street = Recipe.parse(recipe);
  cityDrive = Recipe.parse(recipes.find(({ id }) => id === 'city-drive')?.recipe);
});
afterAll(() => server.close());

const post = (path: string, body: unknown): Promise<Response> =>
  fetch(server.url(path), {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json' },
  });

/** The shipped scenario, with some of the radio model changed. */
const changed = (radio: Record<string, unknown>): Recipe => ({
  ...street,
  name: 'Mine',
  radio: { ...street.radio, duration_ms: 20_000, ...radio },
});

describe('recipes', () => {
  it('are listed, each with one model', async () => {
    const { recipes } = await server.json('/recipes', RecipeList);
    expect(recipes.length).toBeGreaterThanOrEqual(30);
    expect(recipes.find(({ id }) => id === 'constant-48mbps')?.recipe.piecewise).toBeDefined();
  });

  it('are sketched: figures, capacity over time, and the plan', async () => {
    const answer = await post('/recipes/sketch?bins=50', changed({}));
    expect(answer.status).toBe(200);
    const sketch = RecipeSketch.parse(await answer.json());
    expect(sketch.period_ms).toBe(20_000);
    expect(sketch.preview.mean_mbps).toHaveLength(50);
    expect(sketch.plan?.stations).toEqual([
      [0, 0],
      [100, 0],
    ]);
    expect(sketch.plan?.buildings).toHaveLength(8);
    expect(sketch.plan?.way.at(-1)?.[0]).toBeCloseTo(20, 0);
    const wider = await post(
      '/recipes/sketch',
      changed({ link: { ...Object(street.radio?.['link']), bandwidth_mhz: 280 } }),
    );
    expect(RecipeSketch.parse(await wider.json()).mean_mbps).toBeGreaterThan(1.3 * sketch.mean_mbps);
  });

  it('are refused with the place and the reason', async () => {
    const answer = await post('/recipes/sketch', changed({ carrier_ghz: 4000 }));
    expect(Problem.parse(await answer.json())).toMatchObject({
      status: 422,
      code: 'RECIPE_REFUSED',
      detail: 'recipe, radio: "carrier_ghz" must be from 0.4 to 100.0',
    });
    expect((await post('/recipes/trace', { ...street, radio: undefined })).status).toBe(422);
    expect((await post('/recipes/trace', { ...street, flux: {} })).status).toBe(400);
    expect((await post('/recipes/trace', changed({ duration_ms: 1e8 }))).status).toBe(400);
  });

  it('become traces that keep their recipe; the same recipe again is the same trace', async () => {
    const answer = await post('/recipes/trace', changed({}));
    expect(answer.status).toBe(201);
    const record = TraceRecord.parse(await answer.json());
    expect(record).toMatchObject({ name: 'Mine', origin: 'recipe' });
    expect(record.info.period_ms).toBe(20_000);
    expect(await server.json(`/traces/${record.id}/recipe`, Recipe)).toEqual(changed({}));
    expect((await post('/recipes/trace', changed({}))).status).toBe(200);
  });

  it('make traces of which the handovers and the signal are known, as of shipped ones, and not of uploaded ones', async () => {
    const cells = changed({ handovers: { per_s: 1, shortest_ms: 20, longest_ms: 40 } });
    const { id } = TraceRecord.parse(await (await post('/recipes/trace', cells)).json());
    const marks = await server.json(`/traces/${id}/marks`, TraceMarks);
    expect(marks.count).toBeGreaterThan(5);
    expect(marks.marks).toHaveLength(marks.count);
    for (const { at_s, lasts_s } of marks.marks) {
      expect(at_s).toBeLessThan(20);
      expect(lasts_s).toBeGreaterThanOrEqual(0.02);
    }
    expect(marks.snr).toMatchObject({ every_ms: 1000 });
    expect(marks.snr?.mean_db).toHaveLength(20);

    const { traces } = await server.json('/traces', TraceList);
    const drive = traces.find(({ name }) => name === cityDrive.name);
    expect((await server.json(`/traces/${drive?.id ?? ''}/marks`, TraceMarks)).count).toBe(10);
    const upload = await fetch(server.url('/traces?name=unmarked'), { method: 'POST', body: '1\n2\n4\n31\n' });
    const unmarked = TraceRecord.parse(await upload.json());
    expect(await server.json(`/traces/${unmarked.id}/marks`, TraceMarks)).toEqual({ count: 0, marks: [], snr: null });
    expect((await fetch(server.url(`/traces/${'0'.repeat(64)}/marks`))).status).toBe(404);
  });

  it('are known of shipped traces, not of uploaded ones', async () => {
    const { traces } = await server.json('/traces', TraceList);
    const shipped = traces.find(({ name }) => name === street.name);
    expect(shipped?.origin).toBe('library');
    expect(await server.json(`/traces/${shipped?.id ?? ''}/recipe`, Recipe)).toEqual(street);
    const upload = await fetch(server.url('/traces?name=mine'), { method: 'POST', body: '1\n2\n3\n30\n' });
    const { id } = TraceRecord.parse(await upload.json());
    const missing = await fetch(server.url(`/traces/${id}/recipe`));
    expect(Problem.parse(await missing.json()).code).toBe('TRACE_WITHOUT_RECIPE');
  });
});
