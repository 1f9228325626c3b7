// Name of a template, and what it answers.
import { useState } from 'react';
import { TEMPLATE_LIMITS } from '#protocol/template';
import { shortened } from '#protocol/text';
import { asApiError } from '../../api/client';
import { Button } from '../../ui/button';
import { ProblemNotice } from '../../ui/notice';
import { Dialog } from '../../ui/overlay';
import { TextField } from '../../ui/text-field';
import css from './templates.module.css';

export interface TemplateWords {
  readonly title: string;
  readonly answers: string;
}

interface TemplateDialogProps {
  readonly heading: string;
  readonly first: TemplateWords;
  readonly onSave: (words: TemplateWords) => Promise<unknown>;
  readonly onClose: () => void;
}

export function TemplateDialog({ heading, first, onSave, onClose }: TemplateDialogProps) {
  const [title, setTitle] = useState(() => shortened(first.title, TEMPLATE_LIMITS.name));
  const [answers, setAnswers] = useState(first.answers);
  const [fault, setFault] = useState<unknown>(null);
  const problem = fault === null ? null : asApiError(fault).problem;
  const isOfName = problem?.where === 'title';
  const save = (): void => void onSave({ title: title.trim(), answers: answers.trim() }).then(onClose, setFault);
  return (
    <Dialog
      title={heading}
      open
      onClose={onClose}
      foot={
        <>
          <Button onPress={onClose}>Cancel</Button>
          <Button kind="primary" isDisabled={title.trim() === ''} onPress={save}>
            Save
          </Button>
        </>
      }
    >
      {problem === null || isOfName ? null : <ProblemNotice error={fault} />}
      <div className={css['fields']}>
        <TextField
          label="Name"
          value={title}
          onChange={(next) => {
            setTitle(shortened(next, TEMPLATE_LIMITS.name));
            setFault(null);
          }}
          error={isOfName ? `${problem.detail}.` : undefined}
          help="Also on a command line: paceline run --template “…”"
        />
        <TextField
          label="What it answers"
          value={answers}
          onChange={(next) => setAnswers(shortened(next, TEMPLATE_LIMITS.answers))}
          placeholder="In a line, for whoever meets it later"
        />
      </div>
    </Dialog>
  );
}
