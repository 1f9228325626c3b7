import { expect, type Locator, type Page } from '@playwright/test';

/** The page of a new experiment, in the words a person would use. */
export class NewExperiment {
  readonly page: Page;
  readonly traces: Locator;
  readonly algorithms: Locator;
  readonly link: Locator;
  readonly limits: Locator;
  readonly bar: Locator;

  constructor(page: Page) {
    this.page = page;
    this.traces = page.getByRole('region', { name: 'Traces', exact: true });
    this.algorithms = page.getByRole('region', { name: 'Algorithms', exact: true });
    this.link = page.getByRole('region', { name: 'Link, flows, run', exact: true });
    this.limits = page.getByRole('group', { name: 'Queue limit' });
    this.bar = page.getByRole('region', { name: 'Start', exact: true });
  }

  async open(url: string): Promise<void> {
    await this.page.goto(`${url}/new`);
    await expect(this.traces.getByRole('checkbox').first()).toBeVisible();
  }

  /** Chooses exactly these traces. */
  chooseTraces = (names: readonly string[]): Promise<void> =>
    setAll(this.traces.getByRole('checkbox'), names, {
      nameOf: async (box) => (await box.locator('xpath=ancestor::label').innerText()).trim(),
      isOn: (box) => box.isChecked(),
      press: (box) => box.locator('xpath=ancestor::label').click(),
    });

  /** Chooses exactly these algorithms, references included. */
  chooseAlgorithms = (labels: readonly string[]): Promise<void> =>
    setAll(this.algorithms.locator('[aria-pressed]'), labels, toggles);

  /** Chooses exactly these of the limits that are offered. */
  chooseLimits = (labels: readonly string[]): Promise<void> =>
    setAll(this.limits.locator('[aria-pressed]'), labels, toggles);

  /** Says whether pairs are run too, whatever they cost. */
  async fullScores(on: boolean): Promise<void> {
    const choice = this.link.getByRole('switch', { name: 'Full scores' });
    const press = (): Promise<void> => choice.locator('xpath=ancestor::label').click();
    // It stands somewhere by itself: only a press makes it stay.
    await press();
    if ((await choice.isChecked()) !== on) await press();
  }

  /** Types a value into a field as a person does, and leaves the field. */
  async fill(label: string, value: string): Promise<void> {
    const field = this.link.getByRole('textbox', { name: label, exact: true });
    await field.fill(value);
    await field.press('Tab');
  }

  /** How many runs the page says it would make; NaN while it does not say. */
  async plannedRuns(): Promise<number> {
    return Number(/[=→] (\d+) runs?\b/.exec(await this.bar.innerText())?.[1] ?? Number.NaN);
  }

  /** Presses Run, or does what else presses it; the new experiment's id. */
  async run(
    press = (): Promise<unknown> => this.bar.getByRole('button', { name: 'Run', exact: true }).click(),
  ): Promise<string> {
    await press();
    await this.page.waitForURL(/\/e\/[a-z2-7]{20}$/);
    return new URL(this.page.url()).pathname.slice('/e/'.length);
  }
}

interface Choice {
  readonly nameOf: (item: Locator) => Promise<string>;
  readonly isOn: (item: Locator) => Promise<boolean>;
  readonly press: (item: Locator) => Promise<void>;
}

const toggles: Choice = {
  nameOf: async (item) => (await item.getAttribute('aria-label')) ?? (await item.innerText()),
  isOn: async (item) => (await item.getAttribute('aria-pressed')) === 'true',
  press: (item) => item.click(),
};

async function setAll(items: Locator, wanted: readonly string[], { nameOf, isOn, press }: Choice): Promise<void> {
  await expect(items.first()).toBeVisible();
  const offered = new Set<string>();
  for (const item of await items.all()) {
    const name = await nameOf(item);
    offered.add(name);
    if ((await isOn(item)) !== wanted.includes(name)) await press(item);
  }
  expect([...offered]).toEqual(expect.arrayContaining([...wanted]));
}
