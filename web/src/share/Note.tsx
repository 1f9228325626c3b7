// What whoever froze a view has to say of it.
import css from './share.module.css';

/** An empty line begins a paragraph. */
const paragraphs = (text: string): string[] => text.split(/\n[ \t]*\n/).filter((part) => part.trim() !== '');

/** Plain text. */
export const Note = ({ text }: { readonly text: string }) =>
  text === '' ? null : (
    <div className={css['note']}>
      {paragraphs(text).map((part, i) => (
        <p key={i}>{part}</p>
      ))}
    </div>
  );
