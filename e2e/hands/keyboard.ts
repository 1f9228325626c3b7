// What a person without a mouse does to press, fill and choose: real keys, from where the focus is.
import type { ElementHandle, Locator, Page } from '@playwright/test';
import { hold } from './held.ts';
import type { Way } from './in-page.ts';

/** What is not there in time is not reachable. */
const PATIENCE_MS = 20_000;
const POLL_MS = 50;
/** Ways are planned anew after each stretch: a page that changes meanwhile has some more, a page that goes round in circles has not. */
const MOST_STRETCHES = 60;
/** A key by which the focus does not move may have been taken for something else, as by a field that completes what is typed. */
const MOST_STUCK = 4;
/** Longer texts are pasted. */
const TYPED = 80;

export interface Patience {
  readonly force?: boolean | undefined;
  readonly timeout?: number | undefined;
}

type There = Extract<Way, { at: 'there' }>;

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Goes to the control that an element stands for, by Tab and arrows. */
export async function reach(locator: Locator, { force = false, timeout = PATIENCE_MS }: Patience = {}): Promise<There> {
  const page = locator.page();
  // Arrows may change what the page shows, and so what the words of a locator mean: the element stays the same.
  const find = async (): Promise<ElementHandle<Element>> => {
    await locator.waitFor({ state: force ? 'attached' : 'visible' });
    return await locator.elementHandle();
  };
  let element = await find();
  const until = Date.now() + timeout;
  let last = '';
  let stuck = 0;
  for (let stretch = 0; stretch < MOST_STRETCHES;) {
    const way = await element.evaluate((target) => window.pageKeys.way(target));
    if (way.at === 'there') return way;
    if (way.at === 'not yet') {
      if (Date.now() > until) throw new Error(`By keyboard ${way.name} is out of reach: ${way.why}.`);
      await wait(POLL_MS);
      if (way.gone === true) element = await find();
      continue;
    }
    const state = `${way.key} ${way.presses} ${way.from}`;
    stuck = state === last ? stuck + 1 : 0;
    if (stuck > MOST_STUCK)
      throw new Error(`By keyboard ${way.name} is out of reach: ${way.key} does not lead on from ${way.from}.`);
    last = state;
    stretch += 1;
    await hold(page, way.key, way.presses);
  }
  throw new Error(`By keyboard ${last} is out of reach: the keys lead round in circles.`);
}

/** The key that does what a press of the mouse does; null where a press only puts the focus there. */
function keyFor({ kind, on }: There): string | null {
  switch (kind) {
    case 'link':
    case 'button':
    case 'option':
      return 'Enter';
    case 'tick':
    case 'several':
      return 'Space';
    case 'radio':
      // Arrows choose as they come.
      return on === true ? null : 'Space';
    default:
      return null;
  }
}

/** Whether something was done about a key; a page that has gone away did. */
async function heard(page: Page): Promise<boolean> {
  for (let i = 0; i < 20; i++) {
    const yes = await page.evaluate(() => window.pageKeys.heard()).catch(() => true);
    if (yes !== false) return true;
    await wait(POLL_MS);
  }
  return false;
}

interface Press extends Patience {
  readonly modifiers?: readonly string[] | undefined;
}

/** Instead of a click. */
export async function press(locator: Locator, options: Press = {}): Promise<void> {
  const page = locator.page();
  const there = await reach(locator, options);
  const key = keyFor(there);
  if (key === null) return;
  await page.evaluate(() => window.pageKeys.listen());
  await page.keyboard.press([...(options.modifiers ?? []), key].join('+'));
  if (!(await heard(page))) throw new Error(`By keyboard ${there.name} does nothing on ${key}.`);
}

/** Instead of `setChecked`. */
export async function tick(locator: Locator, on: boolean, options: Patience = {}): Promise<void> {
  const there = await reach(locator, options);
  if (there.on === on) return;
  if (there.on === null) throw new Error(`${there.name} is nothing that is on or off.`);
  await press(locator, options);
}

/** Instead of `fill`: all that was there is replaced by what is typed. */
export async function type(locator: Locator, text: string, options: Patience = {}): Promise<void> {
  const { keyboard } = locator.page();
  await reach(locator, options);
  await keyboard.press('ControlOrMeta+A');
  if (text === '') await keyboard.press('Delete');
  else if (text.length > TYPED || text.includes('\n')) await keyboard.insertText(text);
  else await keyboard.type(text);
}

/** Instead of `selectOption`: arrows, one choice after the other. */
export async function choose(locator: Locator, wanted: string, options: Patience = {}): Promise<string[]> {
  await reach(locator, options);
  const distance = await locator.evaluate((element, text) => {
    if (!(element instanceof HTMLSelectElement)) throw new Error('no select');
    const index = [...element.options].findIndex(({ value, label }) => value === text || label.trim() === text);
    if (index < 0) throw new Error(`no choice is called ${text}`);
    return index - element.selectedIndex;
  }, wanted);
  await hold(locator.page(), distance < 0 ? 'ArrowUp' : 'ArrowDown', Math.abs(distance));
  return [wanted];
}
