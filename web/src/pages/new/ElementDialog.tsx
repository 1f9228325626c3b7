// An element's parameters, with the delays of one that repeats what was recorded.
import { useState } from 'react';
import { repeats } from '#analysis/path-elements';
import type { ElementDescriptor } from '#protocol/cca';
import type { RecordedDelays } from '#protocol/recorded-delays';
import type { PathElement } from '#protocol/spec';
import { ParamsDialog } from './ParamsDialog';
import { RecordedField } from './RecordedField';

interface ElementDialogProps {
  readonly about: ElementDescriptor;
  readonly element: PathElement;
  readonly onApply: (element: PathElement) => void;
  readonly onClose: () => void;
}

export function ElementDialog({ about, element, onApply, onClose }: ElementDialogProps) {
  const [recorded, setRecorded] = useState<RecordedDelays | undefined>(element.recorded);
  return (
    <ParamsDialog
      title={`Parameters of ${about.label}`}
      about={about.summary}
      known={about.params}
      values={element.params ?? {}}
      more={(values) =>
        repeats(about, values) ? <RecordedField initial={element.recorded} onChange={setRecorded} /> : null
      }
      lacks={(values) => repeats(about, values) && recorded === undefined}
      onClose={onClose}
      onApply={(params) => {
        const { recorded: _, ...others } = element;
        onApply({
          ...others,
          params,
          ...(recorded !== undefined && repeats(about, params) ? { recorded } : {}),
        });
      }}
    />
  );
}
