// Where somebody may begin who has nothing yet: the templates that are shipped, a click away from the form.
import { useQuery } from '@tanstack/react-query';
import { templatesQuery } from '../../api/templates';
import { Section } from '../../ui/page';
import { TemplateCard } from '../templates/TemplateCard';
import css from '../templates/templates.module.css';
import { cx } from '../../ui/cx';

export function StartFrom() {
  const templates = useQuery(templatesQuery);
  // The form tells what is wrong: here nothing is lost.
  if (templates.isError) return null;
  return (
    <Section title="Start from" note="Each fills the form; everything in it can be changed before it runs.">
      <ul className={cx(css['cards'], css['home'])}>
        {templates.data
          ?.filter(({ shipped }) => shipped)
          .map((template) => (
            <TemplateCard key={template.id} template={template} />
          ))}
      </ul>
    </Section>
  );
}
