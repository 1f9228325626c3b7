// What an experiment was asked for, as JSON and as a command. Few look at it: its code comes when they do.
import type { ExperimentSpec } from '#protocol/spec';
import { CodeDialog } from '../../ui/code-dialog';
import { runCommand, specJson } from '../command';

interface SpecDialogProps {
  readonly spec: ExperimentSpec;
  readonly onClose: () => void;
}

export const SpecDialog = ({ spec, onClose }: SpecDialogProps) => (
  <CodeDialog title="Spec" text={specJson(spec)} command={runCommand(spec)} onClose={onClose} />
);
