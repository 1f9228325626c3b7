// A note as it is read. What others wrote may stand in it (a bundle brings notes): no HTML of theirs, no images from anywhere, and links
// only to where links may lead (react-markdown leaves out javascript: and its like). Its code comes with the first note.
import ReactMarkdown, { type Components } from 'react-markdown';
import css from './organise.module.css';

/** A note stands within a page that has its own headings. */
const PARTS: Components = {
  h1: ({ children }) => <p className={css['heading']}>{children}</p>,
  h2: ({ children }) => <p className={css['heading']}>{children}</p>,
  h3: ({ children }) => <p className={css['heading']}>{children}</p>,
  h4: ({ children }) => <p className={css['heading']}>{children}</p>,
  h5: ({ children }) => <p className={css['heading']}>{children}</p>,
  h6: ({ children }) => <p className={css['heading']}>{children}</p>,
  a: ({ href, children }) =>
    href === undefined || href === '' ? (
      <>{children}</>
    ) : (
      <a href={href} rel="noreferrer nofollow">
        {children}
      </a>
    ),
  // What it shows is said instead of fetched.
  img: ({ alt }) => <>{alt}</>,
};

export const Markdown = ({ children }: { readonly children: string }) => (
  <div className={css['markdown']}>
    <ReactMarkdown components={PARTS}>{children}</ReactMarkdown>
  </div>
);
