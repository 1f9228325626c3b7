import type { z } from 'zod';
import type * as protocol from '#protocol/study';

/** A study of two runs, with a claim of each verdict. */
export const SMALL_STUDY: z.input<typeof protocol.Study> = {
  id: 'small',
  title: 'A small study',
  question: 'Does a queue of one BDP fill a steady link?',
  paper: {
    short: 'Nobody',
    title: 'On <b>steady</b> links',
    authors: 'N. Obody & “Sons”',
    venue: '',
    bibtex: '@misc{nobody, title = {On steady links}}',
  },
  setup: 'Nothing is as in the paper, which there is not. <script>alert(1)</script>',
  experiments: {
    steady: {
      title: 'A steady link',
      why: 'As small as it goes.',
      origin: 'modelled',
      spec: {
        name: 'Small study: a steady link',
        duration_s: 5,
        traces: [{ rate_mbps: 12 }],
        ccas: [{ id: 'cubic' }, { id: 'bbr' }],
      },
    },
    deep: {
      title: 'A deep queue',
      why: 'To see whether it matters.',
      origin: 'modelled',
      spec: {
        name: 'Small study: a deep queue',
        duration_s: 5,
        traces: [{ rate_mbps: 12 }],
        ccas: [{ id: 'cubic' }],
        buffers: [{ bdp: 20 }],
      },
    },
  },
  variants: { deep: { title: 'A deep queue', origin: 'modelled', instead: { steady: 'deep' } } },
  answers: ['steady'],
  figures: [
    {
      id: 'figure-1',
      title: 'Figure 1: what a link carries',
      claims: [
        {
          id: 'full',
          text: 'Both use most of it',
          tested: {
            measure: { experiment: 'steady', value: 'utilisation', by: 'cca' },
            expect: { kind: 'values', paper: { cubic: { from: 70 }, bbr: { from: 70 } }, tolerance: { absolute: 0 } },
            unit: '%',
            scale: 100,
          },
        },
        {
          id: 'slow',
          text: 'Cubic waits for ten seconds',
          tested: {
            measure: { experiment: 'steady', value: 'queueing_mean', by: 'cca', where: { cca: 'cubic' } },
            expect: { kind: 'values', paper: { cubic: 10_000 }, tolerance: { factor: 1.5 } },
            unit: 'ms',
          },
          because: { text: 'Its queue was deeper.', variant: 'deep' },
        },
        { id: 'phone', text: 'A phone says the same', tested: { not: 'There is no phone here.' } },
      ],
    },
  ],
};

/** A study of one run in real time. */
export const MEASURED_STUDY: z.input<typeof protocol.Study> = {
  ...SMALL_STUDY,
  id: 'measured',
  experiments: {
    steady: {
      title: 'A steady link, in real time',
      why: 'What an end costs is of real time only.',
      origin: 'modelled',
      spec: {
        name: 'Measured study: a steady link',
        engine: 'realtime',
        duration_s: 2,
        traces: [{ rate_mbps: 12 }],
        ccas: [{ id: 'cubic' }],
      },
    },
  },
  variants: {},
  answers: [],
  figures: [
    {
      id: 'figure-1',
      title: 'Figure 1: what it costs',
      claims: [
        {
          id: 'cpu',
          text: 'It takes less than a processor',
          tested: {
            measure: { experiment: 'steady', value: 'cpu_percent', by: 'cca' },
            expect: { kind: 'values', paper: { cubic: { to: 100 } }, tolerance: { absolute: 0 } },
            unit: '%',
          },
        },
      ],
    },
  ],
};
