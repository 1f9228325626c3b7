// Where a new experiment may begin: templates that are shipped, and those that were saved here.
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Template } from '#protocol/template';
import { deleteTemplate, restoreTemplate } from '../../api/templates';
import { MenuButton } from '../../ui/overlay';
import { showProblem, showToast } from '../../ui/toasts';
import { NameTemplate } from './NameTemplate';
import { TemplateCard } from './TemplateCard';
import css from './templates.module.css';

interface TemplateChooserProps {
  readonly templates: readonly Template[];
  readonly onChoose: (template: Template) => void;
}

export function TemplateChooser({ templates, onChoose }: TemplateChooserProps) {
  const [chosen, setChosen] = useState<string | null>(null);
  const choose = (template: Template): void => {
    setChosen(template.title);
    onChoose(template);
  };
  return (
    <section className={css['chooser']} aria-label="Start from a template">
      <h2>Start from</h2>
      <ul className={css['cards']}>
        {templates.map((template) => (
          <TemplateCard key={template.id} template={template} onChoose={() => choose(template)}>
            {template.shipped ? null : <TemplateMenu template={template} />}
          </TemplateCard>
        ))}
      </ul>
      <p role="status">
        {chosen === null ? '' : `The form below has what “${chosen}” asks; everything in it can be changed.`}
      </p>
    </section>
  );
}

function TemplateMenu({ template }: { readonly template: Template }) {
  const queries = useQueryClient();
  const [naming, setNaming] = useState(false);
  const { id, title } = template;
  const remove = async (): Promise<void> => {
    await deleteTemplate(queries, id);
    showToast({ text: `The template “${title}” is deleted.`, undo: () => restoreTemplate(queries, id) });
  };
  return (
    <span className={css['menu']}>
      <MenuButton
        kind="quiet"
        size="small"
        icon="more"
        aria-label={`More for the template ${title}`}
        entries={[
          { id: 'rename', label: 'Rename', icon: 'pencil', onAction: () => setNaming(true) },
          { id: 'delete', label: 'Delete', icon: 'trash', onAction: () => void remove().catch(showProblem) },
        ]}
      />
      {naming ? <NameTemplate template={template} onClose={() => setNaming(false)} /> : null}
    </span>
  );
}
