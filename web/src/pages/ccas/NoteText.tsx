// A part of an algorithm's page in docs/cca: Markdown with tables. Links between those pages lead to the algorithms' pages here.
import { Link } from '@tanstack/react-router';
import ReactMarkdown, { type Components } from 'react-markdown';
import { cx } from '../../ui/cx';
import { WideTable } from '../../ui/scroll';
import { blocksOf } from './note-blocks';
import page from '../../ui/page.module.css';
import css from './ccas.module.css';

const CCA_PAGE = /^(?:\.\/)?([a-z0-9][a-z0-9_-]*)\.md(?:#.*)?$/;

const PARTS: Components = {
  a: ({ href = '', children }) => {
    const id = CCA_PAGE.exec(href)?.[1];
    if (id !== undefined)
      return (
        <Link to="/ccas/$id" params={{ id }}>
          {children}
        </Link>
      );
    // Other pages of the documentation are not served.
    return href.startsWith('https://') ? <a href={href}>{children}</a> : <>{children}</>;
  },
  img: ({ alt }) => <>{alt}</>,
  pre: ({ children }) => <pre className={css['formula']}>{children}</pre>,
};
const IN_CELL: Components = { ...PARTS, p: ({ children }) => <>{children}</> };

interface NoteTextProps {
  /** What its tables are of. */
  readonly label: string;
  readonly children: string;
}

export const NoteText = ({ label, children }: NoteTextProps) => (
  <div className={css['note']}>
    {blocksOf(children).map((block, i) =>
      typeof block === 'string' ? (
        <ReactMarkdown key={i} components={PARTS}>
          {block}
        </ReactMarkdown>
      ) : (
        <WideTable key={i} label={label}>
          <table className={cx(page['table'], css['noteTable'])}>
            <thead>
              <tr>
                {block.head.map((cell, column) => (
                  <th key={column} scope="col">
                    <ReactMarkdown components={IN_CELL}>{cell}</ReactMarkdown>
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {block.rows.map((row, nth) => (
                <tr key={nth}>
                  {row.map((cell, column) => (
                    <td key={column}>
                      <ReactMarkdown components={IN_CELL}>{cell}</ReactMarkdown>
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </WideTable>
      ),
    )}
  </div>
);
