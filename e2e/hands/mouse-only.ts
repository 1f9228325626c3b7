// Steps that are about the mouse itself, with the journey that comes to the same by keyboard.

interface Reason {
  readonly why: string;
  /** A journey of e2e/, by its file and a part of its text. */
  readonly byKeyboard: readonly [file: string, text: string];
}

export const MOUSE_ONLY = {
  'a part of a trace is drawn under its chart': {
    why: 'A rectangle is drawn by hand; its two edges are fields of their own, At and For.',
    byKeyboard: ['edit-trace.spec.ts', "await type(/step 2/, 'At', '5');"],
  },
} as const satisfies Readonly<Record<string, Reason>>;

export type MouseOnly = keyof typeof MOUSE_ONLY;
