// What a journey asks the page about its keyboard: which control an element stands for, and which keys lead there from where the focus is.
// These functions are carried into the page as text (see SCRIPT), so they take nothing from this file but one another.

/** The next keys on the way to a control. */
export type Way =
  | { readonly at: 'there'; readonly kind: Kind; readonly name: string; readonly on: boolean | null }
  | {
      readonly at: 'on the way';
      readonly name: string;
      readonly key: string;
      readonly presses: number;
      readonly from: string;
    }
  /** Focus is about to be moved by the page, or the control is not yet to be used. */
  | { readonly at: 'not yet'; readonly name: string; readonly why: string; readonly gone?: boolean };

export type Kind =
  'link' | 'button' | 'tick' | 'radio' | 'option' | 'several' | 'field' | 'select' | 'slider' | 'region';

export interface PageKeys {
  /** Where Tab stops. */
  readonly stops: () => Element[];
  readonly way: (element: Element) => Way;
  /** What keeps the keyboard from an element that the mouse is about to press; null if nothing does, 'gone' if it left the page. */
  readonly fault: (element: Element) => string | null;
  /** From now on notes whether the page does something with a key. */
  readonly listen: () => void;
  /** Undefined on a page that was not there when `listen` was asked for. */
  readonly heard: () => boolean | undefined;
}

declare global {
  interface Window {
    readonly pageKeys: PageKeys;
  }
}

/** What one stop of the Tab key holds: arrows move within it. */
function compositeOf(control: Element): Element | null {
  const roles = 'menu menubar listbox radiogroup tablist grid treegrid tree toolbar'.split(' ');
  return control.closest(`${roles.map((role) => `[role="${role}"]`).join()}, [data-marks]`);
}

function membersOf(composite: Element): Element[] {
  const role = composite.getAttribute('role') ?? 'marks';
  const selectors: Record<string, string> = {
    menu: '[role^="menuitem"]',
    menubar: '[role^="menuitem"]',
    listbox: '[role="option"]',
    radiogroup: 'input[type="radio"], [role="radio"]',
    tablist: '[role="tab"]',
    grid: '[role="row"]',
    treegrid: '[role="row"]',
    tree: '[role="treeitem"]',
    toolbar: 'button, input:is([type="checkbox"], [type="radio"])',
    marks: '[data-mark]',
  };
  return [...composite.querySelectorAll(selectors[role] ?? '[tabindex]')].filter(
    (member) => !member.matches(':disabled'),
  );
}

/** What acts when an element is pressed: itself, what it stands in, or what it is the label of. */
function controlOf(element: Element): Element | null {
  const labelled = element.closest('label')?.control;
  if (labelled !== undefined && labelled !== null) return labelled;
  const native = 'a[href], button, input:not([type="hidden"]), select, textarea, summary, [contenteditable="true"]';
  const members = '[role="option"], [role^="menuitem"], [role="tab"], [role="radio"], [role="treeitem"], [data-mark]';
  // A region that scrolls is a stop, too, but what stands in it is not pressed with it.
  const regions = ':not([role="region"], [role="group"], [role="dialog"])';
  return element.closest(`${native}, ${members}, [tabindex]:not([tabindex="-1"])${regions}`);
}

function nameOf(control: Element): string {
  const words = (text: string | null | undefined): string => (text ?? '').replace(/\s+/g, ' ').trim();
  const by = (control.getAttribute('aria-labelledby') ?? '').split(' ').map((id) => document.getElementById(id));
  const labels = [...((control as HTMLInputElement).labels ?? [])];
  const candidates = [
    by.map((other) => other?.textContent ?? '').join(' '),
    control.getAttribute('aria-label'),
    labels.map((label) => label.textContent).join(' '),
    control.matches('input, select, textarea') ? '' : control.textContent,
    control.querySelector('img, svg title')?.getAttribute('alt') ?? control.querySelector('svg title')?.textContent,
    control.getAttribute('title'),
    control.getAttribute('placeholder'),
    control.matches('input[type="submit"], input[type="button"]') ? (control as HTMLInputElement).value : '',
  ];
  return candidates.map(words).find((text) => text !== '') ?? '';
}

function spoken(control: Element | null): string {
  if (control === null || control === document.body) return 'the page itself';
  const tag = control.tagName.toLowerCase();
  const own = control instanceof HTMLInputElement ? control.type : tag === 'a' ? 'link' : tag;
  return `${control.getAttribute('role') ?? own} “${nameOf(control).slice(0, 60)}”`;
}

/** The group of a radio button that is the browser's own. */
function radiosWith(element: Element): HTMLInputElement[] {
  if (!(element instanceof HTMLInputElement) || element.type !== 'radio' || element.name === '') return [];
  return [...document.querySelectorAll<HTMLInputElement>('input[type="radio"]')].filter(
    ({ name, form, disabled }) => name === element.name && form === element.form && !disabled,
  );
}

/** Whether Tab stops there. */
function isStop(element: Element): boolean {
  if ((element as HTMLElement).tabIndex < 0 || element.matches(':disabled') || element.closest('[inert]') !== null)
    return false;
  const group = radiosWith(element);
  if (group.length > 0) {
    const chosen = group.find(({ checked }) => checked);
    // Of a group of which none is chosen, the ends are stops.
    if (chosen === undefined ? element !== group[0] && element !== group.at(-1) : element !== chosen) return false;
  }
  return element.checkVisibility({ visibilityProperty: true });
}

function stops(): Element[] {
  const candidates = 'a[href], button, input, select, textarea, summary, iframe, [tabindex], [contenteditable="true"]';
  return [...document.querySelectorAll(candidates)].filter(isStop);
}

/** Where the keyboard is: the focused element, or what it says is active in its stead. */
function activeElements(): Element[] {
  const active = document.activeElement;
  if (active === null || active === document.body) return [];
  const other = document.getElementById(active.getAttribute('aria-activedescendant') ?? '');
  return other === null ? [active] : [other, active];
}

function kindOf(control: Element): Kind {
  const role = control.getAttribute('role');
  const type = control instanceof HTMLInputElement ? control.type : '';
  if (role === 'slider' || type === 'range') return 'slider';
  if (type === 'checkbox' || role === 'switch' || role === 'checkbox') return 'tick';
  if (type === 'radio' || role === 'radio') return 'radio';
  if (role === 'option' || role?.startsWith('menuitem') === true)
    return compositeOf(control)?.getAttribute('aria-multiselectable') === 'true' ? 'several' : 'option';
  if (control.matches('select')) return 'select';
  if (control.matches('input:not([type="button"], [type="submit"], [type="file"]), textarea, [contenteditable="true"]'))
    return 'field';
  if (control.matches('a[href]')) return 'link';
  if (control.matches('button, summary, input') || role === 'button' || role === 'tab') return 'button';
  return 'region';
}

function isOn(control: Element): boolean | null {
  if (control instanceof HTMLInputElement && ['checkbox', 'radio'].includes(control.type)) return control.checked;
  const said = control.getAttribute('aria-checked');
  return said === null ? null : said === 'true';
}

/** By arrows, within what is one stop of the Tab key; null if the focus is not in it. */
function wayWithin(composite: Element | null, control: Element): { key: string; presses: number } | null {
  const radios = radiosWith(control);
  const members = radios.length > 0 ? radios : composite === null ? [] : membersOf(composite);
  const goal = members.findIndex((member) => member === control || member.contains(control));
  const here = activeElements();
  const now = members.findIndex((member) => here.some((one) => member === one || member.contains(one)));
  const owns = (one: Element): boolean =>
    one === composite || (one.getAttribute('aria-controls') ?? one.getAttribute('aria-owns')) === composite?.id;
  if (goal < 0 || (now < 0 && !here.some(owns))) return null;
  const flat = composite?.matches('[role="toolbar"], [role="tablist"], [role="menubar"], [data-marks]');
  const keys = flat === true ? (['ArrowLeft', 'ArrowRight'] as const) : (['ArrowUp', 'ArrowDown'] as const);
  if (now < 0) return { key: keys[1], presses: 1 };
  return { key: keys[goal < now ? 0 : 1], presses: Math.max(1, Math.abs(goal - now)) };
}

function way(element: Element): Way {
  const control = controlOf(element);
  const active = document.activeElement;
  const from = spoken(active);
  if (control === null) return { at: 'not yet', name: spoken(element), why: 'the keyboard has no way to it' };
  const name = spoken(control);
  const notYet = (why: string): Way => ({ at: 'not yet', name, why });
  if (control.matches(':disabled, [aria-disabled="true"]')) return notYet('it cannot be used');
  if (!control.isConnected) return { at: 'not yet', name, why: 'it has gone', gone: true };
  if (activeElements().includes(control)) return { at: 'there', kind: kindOf(control), name, on: isOn(control) };
  if (control.closest('[inert]') !== null) return notYet('something else is in front of it');

  const composite = compositeOf(control);
  const within = wayWithin(composite, control);
  if (within !== null) return { at: 'on the way', name, from, ...within };

  const all = stops();
  const radios: Element[] = radiosWith(control);
  const inside = (stop: Element): boolean => radios.includes(stop) || composite?.contains(stop) === true;
  const goal = all.includes(control) ? control : (all.find(inside) ?? null);
  const layer = control.closest('[role="dialog"], [role="alertdialog"], [role="menu"], [role="listbox"]');
  if (goal === null) return notYet('neither Tab nor an arrow comes to it');
  // What has just been opened takes the focus.
  if (layer !== null && !layer.contains(active) && window.pageKeysOpened !== layer) {
    window.pageKeysOpened = layer;
    return notYet('the focus is not in what it stands in');
  }
  const now = active === null || active === document.body ? -1 : all.indexOf(active);
  if (now >= 0) {
    const distance = all.indexOf(goal) - now;
    return { at: 'on the way', name, from, key: distance < 0 ? 'Shift+Tab' : 'Tab', presses: Math.abs(distance) };
  }
  // The focus is on something that is no stop, such as the heading of a page that has just come: the next stop tells.
  const after = active === null || (active.compareDocumentPosition(goal) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
  return { at: 'on the way', name, from, key: after ? 'Tab' : 'Shift+Tab', presses: 1 };
}

function fault(element: Element): string | null {
  if (!element.isConnected) return 'gone';
  // A region that scrolls is a stop itself, though no control of what is in it.
  const control = isStop(element) ? element : controlOf(element);
  if (control === null) return `${spoken(element)}: neither Tab nor an arrow comes to it`;
  if (nameOf(control) === '') return `${spoken(control)} ${control.outerHTML.slice(0, 120)} has no name`;
  const hidden = !control.checkVisibility({ visibilityProperty: true });
  if (hidden) return `${spoken(control)} is hidden from the keyboard`;
  if ((control as HTMLElement).tabIndex >= 0 || compositeOf(control) !== null) return null;
  return `${spoken(control)} is no stop of the Tab key, and in nothing in which arrows move`;
}

function listen(): void {
  window.pageKeysListening?.abort();
  const listening = new AbortController();
  window.pageKeysListening = listening;
  window.pageKeysHeard = false;
  const options = { capture: true, signal: listening.signal };
  const hear = (): void => {
    window.pageKeysHeard = true;
  };
  for (const type of ['click', 'input', 'change', 'submit', 'focusin']) window.addEventListener(type, hear, options);
  // What handles a key keeps the browser from doing so too.
  window.addEventListener(
    'keydown',
    (event) => setTimeout(() => (event.defaultPrevented ? hear() : undefined)),
    options,
  );
}

const PARTS = [
  ...[compositeOf, membersOf, controlOf, nameOf, spoken, radiosWith, isStop, stops, activeElements, kindOf, isOn],
  ...[wayWithin, way, fault, listen],
];

/** For `addInitScript`. */
export const SCRIPT = `window.pageKeys = (() => {
${PARTS.map(String).join('\n')}
return { stops, way, fault, listen, heard: () => window.pageKeysHeard };
})();`;

declare global {
  interface Window {
    /** The layer of which is known that it has been waited for. */
    pageKeysOpened?: Element;
    pageKeysListening?: AbortController;
    pageKeysHeard?: boolean;
  }
}
