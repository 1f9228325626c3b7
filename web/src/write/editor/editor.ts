// The editor: a text on its own, that says when it is changed and shows where it is wrong. It comes when a text is opened.
import {
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
  snippetCompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
  type CompletionSource,
} from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { javascript, localCompletionSource } from '@codemirror/lang-javascript';
import { bracketMatching, indentOnInput, indentUnit } from '@codemirror/language';
import { lintGutter, lintKeymap, setDiagnostics, type Diagnostic } from '@codemirror/lint';
import { Annotation, EditorState, type Extension, StateEffect, StateField } from '@codemirror/state';
import {
  Decoration,
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
  type DecorationSet,
} from '@codemirror/view';
import type { OwnDeclaration, OwnProblem } from '#protocol/own-algorithm';
import { offersAt, type Offer } from '../completions';
import type { LanguageType } from '../language';
import { placeIn } from '../place';
import { look } from './look';

export interface EditorOptions {
  readonly host: HTMLElement;
  readonly label: string;
  readonly text: string;
  readonly readOnly: boolean;
  readonly language: readonly LanguageType[];
  readonly onChange: (text: string) => void;
}

export interface Editor {
  /** Nothing happens where it is the text already. */
  setText(text: string): void;
  /** What is known of the text as it stands. */
  setKnown(params: OwnDeclaration['params'], problem: OwnProblem | null): void;
  /** Goes to a place of the text. */
  goTo(line: number, column: number): void;
  destroy(): void;
}

/** A change that the page makes, not who writes. */
const fromPage = Annotation.define<boolean>();

const setBroken = StateEffect.define<number | null>();
/** The whole line in which something is wrong. */
const brokenLine = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(lines, { effects, state, changes }) {
    let next = lines.map(changes);
    for (const effect of effects) {
      if (!effect.is(setBroken)) continue;
      const { value } = effect;
      if (value === null) next = Decoration.none;
      else next = Decoration.set(Decoration.line({ class: 'cm-broken' }).range(state.doc.lineAt(value).from));
    }
    return next;
  },
  provide: (field) => EditorView.decorations.from(field),
});

/** So much of a type stands beside a name; all of it in what is said of it. */
const DETAIL = 28;

function completionOf({ label, kind, detail, info, takes }: Offer): Completion {
  const short = detail.length > DETAIL ? `${detail.slice(0, DETAIL - 1)}…` : detail;
  const said = { label, type: kind, detail: short, ...(info === '' ? {} : { info }) };
  return takes === null ? said : snippetCompletion(`${label}(${takes.join(', ')}) {\n\t\${}\n},`, said);
}

/** What only a text that can be changed has. */
const writing = (offered: CompletionSource, onChange: (text: string) => void): Extension => [
  history(),
  highlightActiveLine(),
  highlightActiveLineGutter(),
  indentOnInput(),
  closeBrackets(),
  autocompletion({ override: [offered, localCompletionSource], icons: false }),
  EditorView.updateListener.of(({ docChanged, state, transactions }) => {
    const own = transactions.every((transaction) => transaction.annotation(fromPage) !== true);
    if (docChanged && own) onChange(state.doc.toString());
  }),
];

export function openEditor({ host, label, text, readOnly, language, onChange }: EditorOptions): Editor {
  let params: OwnDeclaration['params'] = [];
  const offered = ({ state, pos, explicit }: CompletionContext): CompletionResult | null => {
    const before = state.doc.sliceString(Math.max(0, pos - 200), pos);
    const found = offersAt(before, state.doc.toString(), language, params);
    if (found === null || (found.typed === 0 && !explicit && !before.endsWith('.'))) return null;
    return { from: pos - found.typed, options: found.offers.map(completionOf), validFor: /^\w*$/ };
  };
  const view = new EditorView({
    parent: host,
    state: EditorState.create({
      doc: text,
      extensions: [
        lineNumbers(),
        lintGutter(),
        brokenLine,
        drawSelection(),
        EditorView.lineWrapping,
        javascript({ typescript: true }),
        bracketMatching(),
        indentUnit.of('  '),
        EditorState.tabSize.of(2),
        EditorView.contentAttributes.of({
          ...{ 'aria-label': label, spellcheck: 'false', tabindex: '0' },
          ...(readOnly ? { 'aria-readonly': 'true' } : {}),
        }),
        look,
        // Tab goes on to what is next on the page: nobody is kept in here.
        keymap.of([...closeBracketsKeymap, ...defaultKeymap, ...historyKeymap, ...completionKeymap, ...lintKeymap]),
        readOnly ? EditorState.readOnly.of(true) : writing(offered, onChange),
      ],
    }),
  });
  return {
    setText(next) {
      const now = view.state.doc.toString();
      if (now === next) return;
      view.dispatch({ changes: { from: 0, to: now.length, insert: next }, annotations: fromPage.of(true) });
    },
    setKnown(known, problem) {
      params = known;
      const place = problem?.at ?? null;
      const at = place === null ? null : placeIn(view.state.doc.toString(), place);
      const marks: Diagnostic[] =
        at === null || problem === null ? [] : [{ ...at, severity: 'error', message: problem.message }];
      view.dispatch(setDiagnostics(view.state, marks), { effects: setBroken.of(at === null ? null : at.from) });
    },
    goTo(line, column) {
      const { from } = placeIn(view.state.doc.toString(), { line, column });
      view.dispatch({ selection: { anchor: from }, effects: EditorView.scrollIntoView(from, { y: 'center' }) });
      view.focus();
    },
    destroy: () => view.destroy(),
  };
}
