import css from './organise.module.css';

/** To read, in a list. */
export const Tags = ({ tags }: { readonly tags: readonly string[] | undefined }) =>
  tags === undefined || tags.length === 0 ? null : (
    <span className={css['tags']}>
      {tags.map((tag) => (
        <span key={tag} className={css['tag']}>
          {tag}
        </span>
      ))}
    </span>
  );
