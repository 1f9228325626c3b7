// How the editor looks: the page's own colours, by day and by night, because they are the page's own properties.
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';

const frame = EditorView.theme({
  '&': { height: '100%', color: 'var(--ink)', backgroundColor: 'var(--surface)', fontSize: 'var(--text-12)' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.6', overscrollBehavior: 'contain' },
  '.cm-content': { caretColor: 'var(--ink)', padding: 'var(--space-3) 0' },
  '.cm-line': { padding: '0 var(--space-3) 0 var(--space-2)' },
  '.cm-cursor, .cm-dropCursor': { borderLeftColor: 'var(--ink)', borderLeftWidth: '1.5px' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    background: 'color-mix(in srgb, var(--accent) 24%, transparent)',
  },
  '.cm-activeLine': { backgroundColor: 'color-mix(in srgb, var(--hover) 55%, transparent)' },
  '.cm-gutters': { backgroundColor: 'var(--surface)', color: 'var(--ink-3)', border: 'none' },
  '.cm-activeLineGutter': { backgroundColor: 'transparent', color: 'var(--ink)' },
  '.cm-lineNumbers .cm-gutterElement': {
    padding: '0 var(--space-1) 0 var(--space-2)',
    fontVariantNumeric: 'tabular-nums',
  },
  '.cm-gutter-lint': { width: '14px' },
  '.cm-gutter-lint .cm-gutterElement': { padding: '4px 0 0 4px' },
  '.cm-lint-marker': { width: '8px', height: '8px' },
  '.cm-lint-marker-error': { content: 'none', borderRadius: '50%', backgroundColor: 'var(--danger)' },
  '.cm-broken': { backgroundColor: 'var(--danger-soft)' },
  '.cm-lintRange-error': {
    backgroundImage: 'none',
    textDecoration: 'underline wavy var(--danger)',
    textDecorationSkipInk: 'none',
    textUnderlineOffset: '3px',
  },
  '.cm-matchingBracket, &.cm-focused .cm-matchingBracket': {
    backgroundColor: 'var(--accent-soft)',
    outline: '1px solid var(--hairline-strong)',
  },
  '.cm-nonmatchingBracket, &.cm-focused .cm-nonmatchingBracket': { backgroundColor: 'var(--danger-soft)' },
  '.cm-tooltip': {
    border: '1px solid var(--hairline)',
    borderRadius: 'var(--radius)',
    backgroundColor: 'var(--raised)',
    color: 'var(--ink)',
    boxShadow: 'var(--shadow-float)',
    overflow: 'hidden',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': {
    fontFamily: 'var(--mono)',
    fontSize: 'var(--text-12)',
    maxHeight: '14em',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: '3px var(--space-2)' },
  '.cm-tooltip-autocomplete ul li[aria-selected]': { backgroundColor: 'var(--accent-soft)', color: 'var(--ink)' },
  '.cm-completionLabel': { color: 'var(--ink)' },
  '.cm-completionMatchedText': { textDecoration: 'none', fontWeight: '650', color: 'var(--accent)' },
  '.cm-completionDetail': { color: 'var(--ink-3)', fontStyle: 'normal', marginLeft: 'var(--space-3)' },
  '.cm-tooltip.cm-completionInfo': {
    maxWidth: '280px',
    padding: 'var(--space-2) var(--space-3)',
    fontFamily: 'var(--sans)',
    fontSize: 'var(--text-12)',
    lineHeight: '1.4',
  },
  '.cm-diagnostic': { padding: 'var(--space-2) var(--space-3)', borderLeft: 'none', fontFamily: 'var(--sans)' },
  '.cm-snippetField': { backgroundColor: 'var(--accent-soft)' },
});

/** Few colours: words of the language, what is said literally, what is only said. */
const words = HighlightStyle.define([
  { tag: [tags.keyword, tags.modifier, tags.operatorKeyword, tags.definitionKeyword], color: 'var(--accent)' },
  { tag: [tags.comment], color: 'var(--ink-3)', fontStyle: 'italic' },
  { tag: [tags.string, tags.special(tags.string), tags.regexp], color: 'var(--warning)' },
  { tag: [tags.number, tags.bool, tags.null, tags.atom], color: 'var(--diverge-high-ink, var(--danger))' },
  { tag: [tags.typeName, tags.className], color: 'var(--ink-2)', fontStyle: 'italic' },
  { tag: [tags.definition(tags.propertyName), tags.function(tags.definition(tags.variableName))], fontWeight: '600' },
  { tag: [tags.punctuation, tags.operator, tags.bracket], color: 'var(--ink-2)' },
  { tag: tags.invalid, color: 'var(--danger)' },
]);

export const look = [frame, syntaxHighlighting(words)];
