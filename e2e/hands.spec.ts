// The hands themselves: what they reach, and what they say of pages that a keyboard cannot use.
import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { choose, press, reach, tick, type } from './hands/keyboard.ts';

const show = (page: Page, body: string): Promise<unknown> =>
  page.goto(`data:text/html,${encodeURIComponent(`<!doctype html><title>-</title><main>${body}</main>`)}`);
const said = (page: Page): Promise<string> => page.evaluate(() => document.title);
const QUICK = { timeout: 300 };

test('what can be used by keyboard is: links, fields, ticks, choices, groups of radio buttons, what has a composite role', async ({
  page,
}) => {
  await show(
    page,
    `<button onclick="document.title = 'first'">First</button>
     <input aria-label="Name"><select aria-label="Scale"><option>linear<option>log<option>power</select>
     <label><input type="checkbox"> Tick</label>
     <label><input type="radio" name="r" checked> One</label><label><input type="radio" name="r"> Two</label>
     <div role="toolbar" onkeydown="event.key === 'ArrowRight' && event.target.nextElementSibling?.focus()">
       <button>A</button><button tabindex="-1">B</button><button tabindex="-1" onclick="document.title = 'C'">C</button>
     </div>`,
  );
  await press(page.getByRole('button', { name: 'C' }));
  expect(await said(page)).toBe('C');
  await press(page.getByRole('button', { name: 'First' }));
  expect(await said(page)).toBe('first');
  await type(page.getByRole('textbox'), 'some words');
  await expect(page.getByRole('textbox')).toHaveValue('some words');
  await choose(page.getByRole('combobox'), 'power');
  await expect(page.getByRole('combobox')).toHaveValue('power');
  await tick(page.getByRole('checkbox'), true);
  await expect(page.getByRole('checkbox')).toBeChecked();
  await press(page.getByText('Two'));
  await expect(page.getByLabel('Two')).toBeChecked();
});

test('what only a mouse can press, what the focus never leaves and what does nothing is told by name', async ({
  page,
}) => {
  await show(page, '<div onclick="document.title = 1">Only a mouse</div>');
  await expect(press(page.getByText('Only a mouse'), QUICK)).rejects.toThrow(/“Only a mouse” is out of reach/);
  await expect(page.getByText('Only a mouse').evaluate((it) => window.pageKeys.fault(it))).resolves.toMatch(
    /Only a mouse/,
  );

  await show(page, '<button tabindex="-1">Left out</button>');
  await expect(reach(page.getByRole('button'), QUICK)).rejects.toThrow(/neither Tab nor an arrow comes to it/);

  await show(
    page,
    `<button onkeydown="event.key === 'Tab' && event.preventDefault()">Trap</button><button>Behind it</button>`,
  );
  await expect(reach(page.getByRole('button', { name: 'Behind it' }), QUICK)).rejects.toThrow(
    /Tab does not lead on from button “Trap”/,
  );

  await show(page, '<div role="button" tabindex="0" onclick="document.title = 1">Deaf</div>');
  await expect(press(page.getByRole('button'), QUICK)).rejects.toThrow(/“Deaf” does nothing on Enter/);

  await show(page, '<button><svg width="9" height="9"></svg></button>');
  await expect(page.getByRole('button').evaluate((it) => window.pageKeys.fault(it))).resolves.toMatch(/has no name/);
});
