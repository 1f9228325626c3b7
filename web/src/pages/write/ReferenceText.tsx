// Every type of the language with its members: made of the declaration itself, so that there is one of them.
import { LANGUAGE } from '../../write/declared';
import type { LanguageType, Word } from '../../write/language';
import css from './write.module.css';

/** In which order somebody who writes one meets them. */
const FIRST = ['Algorithm', 'Setup', 'Controller', 'Ack', 'Loss', 'Timeout', 'Sent'];

const orderOf = ({ name }: LanguageType): number => {
  const at = FIRST.indexOf(name);
  return at === -1 ? FIRST.length : at;
};

/** What stands between backticks is of the language. */
const Words = ({ text }: { readonly text: string }) =>
  text.split('`').map((part, i) => (i % 2 === 0 ? part : <code key={`${i} ${part}`}>{part}</code>));

const Members = ({ members }: { readonly members: readonly Word[] }) => (
  <dl>
    {members.map(({ name, type, doc, optional, members: inner }) => (
      <div key={name}>
        <dt>
          <code>
            {name}
            {optional ? '?' : ''}
          </code>{' '}
          <code className={css['type']}>{type}</code>
        </dt>
        <dd>
          <Words text={doc} />
          {inner.length === 0 ? null : <Members members={inner} />}
        </dd>
      </div>
    ))}
  </dl>
);

export const ReferenceText = () => (
  <div className={css['reference']}>
    <p>
      A program is one module whose default export is an <code>Algorithm</code>. Times are milliseconds since the run
      began, sizes are bytes on the wire, rates are Mbps; <code>null</code> means not known. Nothing of a browser, of
      clocks or networks is there.
    </p>
    {LANGUAGE.toSorted((a, b) => orderOf(a) - orderOf(b)).map(({ name, doc, alias, members }) => (
      <section key={name} aria-label={name}>
        <h3>
          <code>{name}</code>
        </h3>
        {doc === '' ? null : (
          <p>
            <Words text={doc} />
          </p>
        )}
        {alias === null ? null : <code className={css['type']}>{alias}</code>}
        <Members members={members} />
      </section>
    ))}
  </div>
);
