// Renames a template.
import { useQueryClient } from '@tanstack/react-query';
import type { Template } from '#protocol/template';
import { changeTemplate } from '../../api/templates';
import { TemplateDialog } from './TemplateDialog';

export function NameTemplate({ template, onClose }: { readonly template: Template; readonly onClose: () => void }) {
  const queries = useQueryClient();
  return (
    <TemplateDialog
      heading="Rename the template"
      first={template}
      onSave={(words) => changeTemplate(queries, template.id, words)}
      onClose={onClose}
    />
  );
}
