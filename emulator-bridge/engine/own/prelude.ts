// What stands before a text in its interpreter: the arrays through which the host tells and is answered, and the objects that people
// see instead. It is JavaScript of the guest, so it is a text here; what it needs of the language's own objects it takes before anybody
// could change them.
import {
  ACK,
  ACKED_PACKET,
  CONTROL,
  EVENTS,
  LOSS,
  LOST_PACKET,
  RECOVERIES,
  SENT,
  TIMEOUT,
  type Field,
} from './layout.ts';

/** Places in `told`, and packets beyond which an event's list is cut off in pieces. */
export const TOLD_WORDS = 32;
export const CONTROL_WORDS = 16;
/** In `told`: how many packets are listed. */
export const LISTED = 31;

/** How the guest reads a field that the host has put into an array as a number; NaN: unknown. `t`: the array, `x`: a variable. */
function readOf({ kind }: Field, at: string): string {
  switch (kind) {
    case 'flag':
      return `${at} !== 0`;
    case 'recovery':
      return `RECOVERIES[${at}]`;
    case 'count':
      return at;
    case 'ms':
    case 'mbps':
      return `(x = ${at}) === x ? x : null`;
  }
}

/** What a text may ask of one event: names, and how each is read. */
const readsOf = (fields: readonly Field[]): string =>
  JSON.stringify(fields.flatMap((field, i) => (field.name === null ? [] : [[field.name, readOf(field, `t[${i}]`)]])));

const packetOf = (fields: readonly Field[]): string =>
  fields.map((field, i) => `${field.name ?? ''}: ${readOf(field, `packets[at + ${i}]`)}`).join(', ');

const CALLS = EVENTS.map(({ call }) => call);

/** A function of the shared memory: told, control, values, packets. */
export const PRELUDE = `((toldBytes, controlBytes, valuesBytes, packetsBytes) => {
'use strict';
const { defineProperty, freeze, keys, entries } = Object;
const { isFinite, isInteger, isSafeInteger } = Number;
const { isArray } = Array;
const parse = JSON.parse, stringify = JSON.stringify, Make = Function;
const RECOVERIES = ${JSON.stringify(RECOVERIES)};
const OUT = ${JSON.stringify(CONTROL.map(({ name }) => name))};
const told = new Float64Array(toldBytes), control = new Float64Array(controlBytes), values = new Float64Array(valuesBytes);
let packets = new Float64Array(packetsBytes);
let count = 0, listed = null;
const list = (width, make) => {
  const all = [];
  for (let i = 0; i < count; i++) all.push(make(i * width));
  return freeze(all);
};
// What is asked of an event for the first time is a property from then on, which is there before it is asked: reading is most of what
// an algorithm does, and properties are read in a fifth of the time.
const viewOf = (reads, more) => {
  const used = [];
  const view = more;
  const one = { view, fill: () => undefined };
  for (const [name, read] of reads)
    defineProperty(view, name, { configurable: true, enumerable: true, get() {
      used.push('v.' + name + ' = ' + read + ';');
      defineProperty(view, name, { value: undefined, writable: true, configurable: true, enumerable: true });
      one.fill = new Make('v', 't', 'RECOVERIES', 'let x; ' + used.join(' '));
      one.fill(view, told, RECOVERIES);
      return view[name];
    } });
  return one;
};
const packetsOf = (width, make) => ({ get packets() { return (listed ??= list(width, make)); } });
const heard = {
  onAck: viewOf(${readsOf(ACK)}, packetsOf(${ACKED_PACKET.length}, (at, x) => ({ ${packetOf(ACKED_PACKET)} }))),
  onLoss: viewOf(${readsOf(LOSS)}, packetsOf(${LOST_PACKET.length}, (at, x) => ({ ${packetOf(LOST_PACKET)} }))),
  onTimeout: viewOf(${readsOf(TIMEOUT)}, {}),
  onSent: viewOf(${readsOf(SENT)}, {}),
};
const acks = heard.onAck, losses = heard.onLoss, timeouts = heard.onTimeout, sents = heard.onSent;
const ackView = acks.view;

// sfc32 (Chris Doty-Humphrey): the same numbers everywhere.
let a = 0, b = 0, c = 0, d = 1;
const next = () => {
  const t = (((a + b) | 0) + d) | 0;
  d = (d + 1) | 0;
  a = b ^ (b >>> 9);
  b = (c + (c << 3)) | 0;
  c = ((c << 21) | (c >>> 11)) + t | 0;
  return t >>> 0;
};
const seed = (high, low) => {
  a = high | 0; b = low | 0; c = 0; d = 1;
  for (let i = 0; i < 12; i++) next();
};
// Nobody is there to share it with.
delete globalThis.SharedArrayBuffer;
Math.random = () => next() / 4294967296;

const fail = (message) => { throw new TypeError(message); };
const isObject = (value) => typeof value === 'object' && value !== null;
const text = (value, what, usual) =>
  value === undefined && usual !== undefined ? usual : typeof value === 'string' ? value : fail(what + ' must be a text');
const NAME = /^[a-z][a-z0-9_]{0,39}$/;
const named = (all, what) => {
  if (all === undefined) return [];
  if (!isObject(all)) fail(what + ' must be an object');
  for (const key of keys(all)) if (!NAME.test(key)) fail(what + '.' + key + ': a name is snake_case, of at most 40 characters');
  return entries(all);
};
const number = (value, what) => (typeof value === 'number' && isFinite(value) ? value : fail(what + ' must be a number'));
const words = (value, what) =>
  isArray(value) && value.length > 0 && value.every((word) => typeof word === 'string' && word !== '')
    ? [...value]
    : fail(what + ' must be a list of words');
const param = ([name, p]) => {
  const what = 'params.' + name;
  if (!isObject(p)) fail(what + ' must be an object');
  const base = { name, label: text(p.label, what + '.label', name), type: p.type, unit: text(p.unit, what + '.unit', ''),
    default: p.default, min: null, max: null, choices: [], help: text(p.help, what + '.help', '') };
  switch (p.type) {
    case 'number':
    case 'integer': {
      const min = number(p.min, what + '.min'), max = number(p.max, what + '.max'), usual = number(p.default, what + '.default');
      if (!(min <= usual && usual <= max)) fail(what + '.default must lie between min and max');
      if (p.type === 'integer' && !isInteger(usual)) fail(what + '.default must be a whole number');
      return { ...base, min, max };
    }
    case 'boolean':
      return typeof p.default === 'boolean' ? base : fail(what + '.default must be true or false');
    case 'choice': {
      const choices = words(p.choices, what + '.choices');
      return { ...base, choices, default: choices[0] };
    }
    default:
      return fail(what + ".type must be 'number', 'integer', 'boolean' or 'choice'");
  }
};
const internal = ([name, i]) => {
  const what = 'internals.' + name;
  if (!isObject(i)) fail(what + ' must be an object');
  return { name, label: text(i.label, what + '.label', name), unit: text(i.unit, what + '.unit', ''),
    states: i.states === undefined ? [] : words(i.states, what + '.states') };
};

let algorithm = null, controller = null, internals = [], answer = null;
const phases = new Map(), phaseWords = [];
let lastWord, lastIndex = -1;
const phase = (word) => (word === lastWord ? lastIndex : ((lastIndex = numbered(word)), (lastWord = word), lastIndex));
const numbered = (word) => {
  if (word === undefined || word === null || word === '') return -1;
  let index = phases.get(word);
  if (index === undefined) {
    if (typeof word !== 'string') fail('phase must be a word');
    if (phaseWords.length >= 64) fail('phase has had more than 64 different words');
    index = phaseWords.push(word.slice(0, 24)) - 1;
    phases.set(word, index);
  }
  return index;
};
const used = new Set();
const built = () =>
  new Make('c', 'o', 'phase', [...used].map((name) => {
    const value = name === 'phase' ? 'phase(c.phase)' : name === 'limits_itself' ? '(c.limits_itself ? 1 : 0)' : 'c.' + name;
    return 'o[' + OUT.indexOf(name) + ']=' + value + ';';
  }).join(''));
// What a controller does not have is not asked for, until somebody sets it.
const watch = (name) => {
  const take = (value) => {
    defineProperty(controller, name, { value, writable: true, configurable: true, enumerable: true });
    used.add(name);
    answer = built();
  };
  try {
    defineProperty(controller, name, { get: () => undefined, set: take, configurable: true, enumerable: false });
  } catch { /* frozen: it will never be set */ }
};
// A property that is never set stays with what stands for it.
const absent = ${JSON.stringify(CONTROL.map(({ absent }) => (Number.isFinite(absent) ? absent : Number.isNaN(absent) ? 'NaN' : 'Infinity')))};
for (let i = 0; i < absent.length; i++) control[i] = Number(absent[i]);
const answered = () => answer(controller, control, phase);

return {
  enlarge: (bytes) => (packets = new Float64Array(bytes)).length,
  seed: (high, low) => (seed(high, low), 0),
  declare: (given) => {
    if (!isObject(given)) fail('a text must export an algorithm: export default { name, create … }');
    if (typeof given.create !== 'function') fail('create must be a function');
    algorithm = given;
    const needs = given.needs === undefined ? {} : given.needs;
    if (!isObject(needs)) fail('needs must be an object');
    return stringify({
      name: text(given.name, 'name'), summary: text(given.summary, 'summary', ''), source: text(given.source, 'source', ''),
      needs: { ...needs }, params: named(given.params, 'params').map(param), internals: named(given.internals, 'internals').map(internal),
    });
  },
  create: (setupText, internalsText) => {
    const setup = parse(setupText);
    internals = parse(internalsText);
    freeze(setup.params);
    controller = algorithm.create(freeze(setup));
    if (!isObject(controller)) fail('create must return a controller');
    if (typeof controller.onAck !== 'function') fail('a controller needs onAck(ack)');
    for (const name of OUT) {
      if (name in controller) used.add(name);
      else if (name === 'cwnd_bytes') fail('a controller needs cwnd_bytes');
      else watch(name);
    }
    for (const { name } of internals) if (!(name in controller)) fail('internals.' + name + ': the controller has no such property');
    answer = built();
    answered();
    return stringify(${JSON.stringify(CALLS)}.filter((call) => typeof controller[call] === 'function'));
  },
  onAck: () => { count = told[${LISTED}]; listed = null; acks.fill(ackView, told, RECOVERIES); controller.onAck(ackView); answer(controller, control, phase); },
  onLoss: () => { count = told[${LISTED}]; listed = null; losses.fill(losses.view, told, RECOVERIES); controller.onLoss(losses.view); answered(); },
  onTimeout: () => { timeouts.fill(timeouts.view, told, RECOVERIES); controller.onTimeout(timeouts.view); answered(); },
  onSent: () => { sents.fill(sents.view, told, RECOVERIES); controller.onSent(sents.view); answered(); },
  onTick: () => { controller.onTick(told[0]); answered(); },
  onIdleRestart: () => { controller.onIdleRestart(told[0]); answered(); },
  look: () => {
    for (let i = 0; i < internals.length; i++) {
      const { name, states } = internals[i], value = controller[name];
      values[i] = states.length > 0 ? (states.indexOf(value) < 0 ? NaN : states.indexOf(value))
        : typeof value === 'number' ? value : typeof value === 'boolean' ? Number(value) : NaN;
    }
  },
  kindOf: (index) => { const value = controller[OUT[index]]; return value === null ? 'null' : typeof value; },
  phaseWord: (index) => phaseWords[index] ?? '',
};
})`;
