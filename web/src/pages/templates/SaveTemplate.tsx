// Saves the spec of an experiment as a template. Few do: its code comes when they do.
import { useQueryClient } from '@tanstack/react-query';
import type { ExperimentRecord } from '#protocol/api';
import { deleteTemplate, saveTemplate } from '../../api/templates';
import { showToast } from '../../ui/toasts';
import { TemplateDialog, type TemplateWords } from './TemplateDialog';

interface SaveTemplateProps {
  readonly record: Pick<ExperimentRecord, 'name' | 'spec'>;
  readonly onClose: () => void;
}

export function SaveTemplate({ record, onClose }: SaveTemplateProps) {
  const queries = useQueryClient();
  const save = async (words: TemplateWords): Promise<void> => {
    const { id } = await saveTemplate(queries, { ...words, spec: record.spec });
    showToast({
      text: `The template “${words.title}” is saved: new experiments may begin from it.`,
      undo: () => deleteTemplate(queries, id),
    });
  };
  return (
    <TemplateDialog
      heading="Save as template"
      first={{ title: record.name, answers: '' }}
      onSave={save}
      onClose={onClose}
    />
  );
}
