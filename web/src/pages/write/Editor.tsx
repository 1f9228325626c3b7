// A text in its editor, which comes when it is there; until then the text can be read.
import { useEffect, useRef, useState } from 'react';
import type { OwnDeclaration, OwnProblem } from '#protocol/own-algorithm';
import { patiently } from '../../ui/lazy-part';
import { showProblem } from '../../ui/toasts';
import type { Editor as OpenEditor } from '../../write/editor/editor';
import css from './write.module.css';

interface EditorProps {
  readonly label: string;
  readonly text: string;
  /** Absent: it can only be read. */
  readonly onChange?: (text: string) => void;
  readonly params?: OwnDeclaration['params'];
  readonly problem?: OwnProblem | null;
  /** Hears of the editor when it is there. */
  readonly onOpen?: (editor: OpenEditor | null) => void;
}

const NO_PARAMS: OwnDeclaration['params'] = [];

async function load() {
  const [{ openEditor }, { LANGUAGE }] = await Promise.all([
    import('../../write/editor/editor'),
    import('../../write/declared'),
  ]);
  return { openEditor, language: LANGUAGE };
}

export function Editor({ label, text, onChange, params = NO_PARAMS, problem = null, onOpen }: EditorProps) {
  const host = useRef<HTMLDivElement>(null);
  const [editor, setEditor] = useState<OpenEditor | null>(null);
  const latest = useRef({ text, onChange, onOpen });
  useEffect(() => {
    latest.current = { text, onChange, onOpen };
  });
  useEffect(() => {
    let open: OpenEditor | null = null;
    let gone = false;
    patiently(load).then(({ openEditor, language }) => {
      if (gone || host.current === null) return;
      const { current } = latest;
      const change = (next: string): void => latest.current.onChange?.(next);
      const readOnly = current.onChange === undefined;
      open = openEditor({ host: host.current, label, text: current.text, readOnly, language, onChange: change });
      setEditor(open);
      current.onOpen?.(open);
    }, showProblem);
    return () => {
      gone = true;
      latest.current.onOpen?.(null);
      open?.destroy();
      setEditor(null);
    };
  }, [label]);
  useEffect(() => editor?.setText(text), [editor, text]);
  useEffect(() => editor?.setKnown(params, problem), [editor, params, problem]);
  return (
    <div className={css['editor']} ref={host}>
      {editor === null ? <pre className={css['plain']}>{text}</pre> : null}
    </div>
  );
}
