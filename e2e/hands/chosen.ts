// The journeys that `npm test` makes by keyboard, too: each kind of control on each kind of page. All of them are made by
// `npm run test:keyboard`. Where Tab comes to on every single page is in tab-order.spec.ts.

export const CHOSEN = [
  'compare',
  'edit-trace',
  'full-scores',
  'make-trace',
  'organise',
  'path',
  'runs',
  'settings',
  'share',
  'studies',
  'trace-library',
] as const;
