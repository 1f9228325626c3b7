// What people read, and what only looks like it, as data.

/** Attributes that are read, whatever element has them. */
export const READ_ATTRIBUTES: ReadonlySet<string> = new Set([
  'alt',
  'aria-description',
  'aria-label',
  'aria-roledescription',
  'aria-valuetext',
  'placeholder',
  'title',
]);

/** Properties and attributes whose words are read: where types are lost on the way to the screen, their names tell. */
export const READ_PROPERTIES: ReadonlySet<string> = new Set([
  'about',
  'help',
  'hint',
  'label',
  'note',
  'said',
  'title',
]);

/** Constants of the page that hold words by some key. */
export const READ_CONSTANTS = /(^|_)(LABELS|NAMES|TITLES|WORDS)$/;

/** Functions that show what they are given: which of their arguments. */
export const SHOWING_CALLS: ReadonlyMap<string, number> = new Map([
  ['text', 0],
  ['fillText', 0],
  ['Notification', 0],
]);

/** Properties that are shown of whatever is given to these functions: the types end there. */
export const SHOWING_PROPERTIES: ReadonlyMap<string, readonly string[]> = new Map([
  ['meta', ['title', 'labels']],
  ['definePlot', ['title']],
  ['Notification', ['body']],
  ['useCommands', ['title', 'group']],
]);

/** Elements whose content is for machines. */
export const OPAQUE_ELEMENTS: ReadonlySet<string> = new Set(['code', 'kbd', 'pre', 'samp', 'script', 'style', 'var']);

/** Elements that stand beside a sentence, not in it. */
export const BLOCK_ELEMENTS: ReadonlySet<string> = new Set([
  ...['article', 'aside', 'div', 'dl', 'fieldset', 'figure', 'footer', 'form', 'h1', 'h2', 'h3', 'h4', 'header'],
  ...['label', 'li', 'nav', 'ol', 'p', 'section', 'table', 'tbody', 'td', 'th', 'thead', 'tr', 'ul', 'svg', 'g'],
]);

/** Properties (`Type.property`) whose values go to files as well: what reads those knows them by these names. */
export const NOT_FOLLOWED: ReadonlySet<string> = new Set(['Table.columns', 'Table.rows']);

/** Names of variables and properties that hold no words: where nothing better is known they are shown, and stay what they are. */
export const NOT_WORDS: ReadonlySet<string> = new Set([
  ...[
    'address',
    'element',
    'file',
    'href',
    'id',
    'ids',
    'initial',
    'key',
    'keys',
    'kind',
    'part',
    'path',
    'to',
    'type',
  ],
]);

/** Words for programs: addresses, names of columns, of parts and of files. */
export const FOR_PROGRAMS = /^([/?#&]|https?:|data:)|^[\p{Ll}\d]+([_-][\p{L}\d]+)+$|^\$\d/u;

export const UNITS: ReadonlySet<string> = new Set([
  ...['s', 'ms', 'µs', 'min', 'h', 'bps', 'kbps', 'Mbps', 'Gbps', 'B', 'kB', 'MB', 'GB', 'TB', 'Hz', 'px', 'dB', 'dBm'],
  ...['BDP', 'RTT', 'CSV', 'SVG', 'PNG', 'PDF', 'JSON', 'LaTeX', 'Paceline', 'HTML', 'URL', 'n', 'x', 'y', 'e', 'p'],
]);
