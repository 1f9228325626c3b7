// Families of algorithms, as the engine's descriptors name them, and which algorithms are looked for.
import type { CcaDescriptor } from '#protocol/cca';
import type { CcaAbout } from '#protocol/cca-about';

interface Family {
  readonly id: string;
  readonly title: string;
  readonly note: string;
}

const KNOWN: readonly Family[] = [
  { id: 'loss', title: 'Loss-based', note: 'A lost packet says that the queue is full: they fill it, and yield.' },
  { id: 'delay', title: 'Delay-based', note: 'A round trip that grows says that a queue grows: they keep it short.' },
  {
    id: 'model',
    title: 'Model-based',
    note: 'They measure the path’s bandwidth and its least round trip, and send by that.',
  },
  { id: 'cellular', title: 'Cellular', note: 'Made for links whose capacity changes within milliseconds.' },
  { id: 'learning', title: 'Learning', note: 'They try what pays, or let an agent decide.' },
  {
    id: 'media',
    title: 'Real-time media',
    note: 'For calls and remote driving: they tell an encoder what bit rate to produce.',
  },
  { id: 'scalable', title: 'Scalable (L4S)', note: 'They answer the share of packets that a queue marked.' },
  {
    id: 'reference',
    title: 'References',
    note: 'They know the trace: no sender can be beyond them, so they show how far there is to go.',
  },
  {
    id: 'own',
    title: 'Own',
    note: 'Written in the page, and run in a sandbox.',
  },
  {
    id: 'kernel',
    title: 'This machine’s kernel',
    note: 'Linux’s own TCP over the same link, in real time: the ground truth for ours.',
  },
  {
    id: 'quic',
    title: 'Real QUIC',
    note: 'The stack quinn over the same link, in real time: with our algorithms, or with its own.',
  },
  {
    id: 'external',
    title: 'External programs',
    note: 'Set up by whoever runs this server; they share the same link, in real time, and the link says what they do.',
  },
];

/** Of one that nobody has described its own name is shown. */
export const familyOf = (id: string): Family =>
  KNOWN.find((family) => family.id === id) ?? { id, title: id.charAt(0).toUpperCase() + id.slice(1), note: '' };

export interface FamilyGroup<T> extends Family {
  readonly ccas: readonly T[];
}

/** Algorithms by family, in the order in which families are usually told. */
export function byFamily<T extends Pick<CcaDescriptor, 'family'>>(ccas: readonly T[]): FamilyGroup<T>[] {
  const ids = new Set([...KNOWN.map(({ id }) => id), ...ccas.map(({ family }) => family)]);
  return [...ids]
    .map((id) => ({ ...familyOf(id), ccas: ccas.filter(({ family }) => family === id) }))
    .filter((group) => group.ccas.length > 0);
}

type Described = Pick<CcaDescriptor, 'id' | 'label' | 'family' | 'summary'>;

/** Those in which every word stands somewhere: id, name, family or what is said of it. */
export function findCcas<T extends Described>(
  ccas: readonly T[],
  about: ReadonlyMap<string, CcaAbout>,
  query: string,
): readonly T[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return ccas;
  return ccas.filter((cca) => {
    const { title } = familyOf(cca.family);
    const text = [cca.id, cca.label, cca.family, title, cca.summary, about.get(cca.id)?.how ?? '']
      .join(' ')
      .toLowerCase();
    return words.every((word) => text.includes(word));
  });
}
