// With what hands the journeys go: a mouse, or a keyboard alone. They are written once; here is what differs.
import { test, type BrowserContext, type Locator, type Mouse, type Page } from '@playwright/test';
import { SCRIPT } from './in-page.ts';
import { choose, press, reach, tick, type } from './keyboard.ts';
import type { MouseOnly } from './mouse-only.ts';

export type Hands = 'mouse' | 'keyboard';

/** Of every page of a context. */
export const teach = (context: BrowserContext): Promise<unknown> => context.addInitScript(SCRIPT);

type Methods<T> = { [K in keyof T]?: T[K] };
type Act<A extends unknown[]> = (this: Locator, ...args: A) => Promise<unknown>;

/** A failure is told where the journey is. */
const told = <A extends unknown[]>(what: string, act: (locator: Locator, ...args: A) => Promise<unknown>): Act<A> =>
  async function told(...args) {
    return await test.step(`${what} by keyboard: ${this.toString()}`, () => act(this, ...args), { box: true });
  };

const KEYBOARD = {
  click: told('press', press),
  tap: told('press', press),
  check: told('tick', (locator, options?: object) => tick(locator, true, options)),
  uncheck: told('untick', (locator, options?: object) => tick(locator, false, options)),
  setChecked: told('tick', (locator, on: boolean, options?: object) => tick(locator, on, options)),
  // What a pointer that rests there shows, the focus shows too.
  hover: told('go to', reach),
  focus: told('go to', reach),
  fill: told('type', type),
  clear: told('clear', (locator, options?: object) => type(locator, '', options)),
  selectOption: told('choose', (locator, wanted: unknown, options?: object) =>
    choose(locator, String(wanted), options),
  ),
  press: told('press a key', async (locator, key: string) => {
    await reach(locator);
    await locator.page().keyboard.press(key);
  }),
  pressSequentially: told('type', async (locator, text: string) => {
    await reach(locator);
    await locator.page().keyboard.type(text);
  }),
};

const noMouse = (): never => {
  throw new Error('There is no mouse: say with `either` or `mouseOnly` what the keyboard does instead.');
};

const NO_MOUSE: Methods<Locator> = { dblclick: noMouse, dragTo: noMouse, dispatchEvent: noMouse };
const NO_POINTER: Methods<Mouse> = { move: noMouse, down: noMouse, up: noMouse, click: noMouse, wheel: noMouse };

/** What the mouse presses is something that the keyboard comes to, too. */
function watched(click: Locator['click']): Locator['click'] {
  return async function watched(this: Locator, options) {
    const timeout = options?.timeout ?? 60_000;
    const until = Date.now() + timeout;
    // What was replaced while it was found is looked for again, as a press does.
    let fault: string | null;
    do fault = await this.evaluate((element) => window.pageKeys.fault(element), undefined, { timeout });
    while (fault === 'gone' && Date.now() < until);
    if (fault !== null) throw new Error(`The mouse presses what the keyboard cannot: ${fault}.`);
    await click.call(this, options);
  };
}

let hands: Hands | null = null;

/** Gives this worker's journeys their hands; a worker has the same ones all its life. */
export function give(wanted: Hands, page: Page): void {
  if (hands !== null) return;
  hands = wanted;
  const locator = Object.getPrototypeOf(page.locator('html')) as Locator;
  if (wanted === 'mouse') {
    // oxlint-disable-next-line typescript/unbound-method -- it is called with its locator
    locator.click = watched(locator.click);
  } else {
    Object.assign(locator, KEYBOARD, NO_MOUSE);
    Object.assign(Object.getPrototypeOf(page.mouse) as Mouse, NO_POINTER);
  }
}

interface Either<T> {
  readonly mouse: () => Promise<T>;
  readonly keyboard: () => Promise<T>;
}

/** A step for which a mouse and a keyboard have ways of their own. */
export const either = <T>(ways: Either<T>): Promise<T> => ways[hands ?? 'mouse']();

/** A step about the mouse itself; the list says which journey does the same by keyboard. */
export async function mouseOnly(name: MouseOnly, step: () => Promise<void>): Promise<void> {
  if (hands !== 'keyboard') await test.step(`@mouse ${name}`, step);
}

/** For what is counted or timed of the mouse. */
export const byKeyboard = (): boolean => hands === 'keyboard';

/** No pointer rests on anything: a keyboard has none. */
export const awayFromAll = (page: Page): Promise<void> =>
  either({ mouse: () => page.mouse.move(0, 0), keyboard: () => Promise.resolve() });

/** A press beside every control, which takes the focus from a field; a keyboard has left it already. */
export const pressNothing = (beside: Locator): Promise<void> =>
  either({
    mouse: async () => {
      const box = await beside.boundingBox();
      if (box === null) throw new Error(`${beside.toString()} is not on the screen`);
      await beside.page().mouse.click(box.x + box.width / 2, box.y + box.height / 2);
    },
    keyboard: () => Promise.resolve(),
  });
