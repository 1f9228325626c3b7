// Where the pages of own algorithms belong.
export const CCAS = { label: 'CCAs', to: '/ccas' };
