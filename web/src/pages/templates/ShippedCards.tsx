// The templates that are shipped, each leading to the form.
import { useQuery } from '@tanstack/react-query';
import { templatesQuery } from '../../api/templates';
import { ProblemNotice } from '../../ui/notice';
import { TemplateCard } from './TemplateCard';
import css from './templates.module.css';

export function ShippedCards() {
  const templates = useQuery(templatesQuery);
  if (templates.isError) return <ProblemNotice error={templates.error} onRetry={() => void templates.refetch()} />;
  return (
    <ul className={css['cards']}>
      {templates.data
        ?.filter(({ shipped }) => shipped)
        .map((template) => (
          <TemplateCard key={template.id} template={template} />
        ))}
    </ul>
  );
}
