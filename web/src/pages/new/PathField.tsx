// What packets go through, element after element: a row of boxes for each direction.
import { useState } from 'react';
import type { TraceRecord } from '#protocol/api';
import type { ElementDescriptor, EngineListing, QueueDescriptor } from '#protocol/cca';
import { LIMITS } from '#protocol/limits';
import type { PathElement } from '#protocol/spec';
import { isOwn } from '#analysis/own-elements';
import { Button, IconButton } from '../../ui/button';
import { formatChosen } from '../../ui/format';
import { MenuButton } from '../../ui/overlay';
import { BottleneckDialog, newBottleneck } from './BottleneckDialog';
import { traceOf } from './draft';
import { ElementDialog } from './ElementDialog';
import { added, joinsAfter, moved, pathOf, placeOfAdded, withPath, type Direction } from './path-draft';
import type { ColumnProps } from './TracesColumn';
import css from './path.module.css';
import form from './new.module.css';

const DIRECTIONS: readonly { readonly id: Direction; readonly label: string }[] = [
  { id: 'forward', label: 'Data' },
  { id: 'reverse', label: 'Acknowledgements' },
];

interface PathFieldProps extends ColumnProps {
  readonly listing: EngineListing | undefined;
  readonly traces: readonly TraceRecord[] | undefined;
}

export function PathField({ draft, change, listing, traces }: PathFieldProps) {
  const known = listing?.elements ?? [];
  if (known.length === 0) return null;
  return (
    <div className={form['block']}>
      <h3>Path</h3>
      {DIRECTIONS.map(({ id, label }) => (
        <Row
          key={id}
          label={label}
          path={pathOf(draft, id)}
          known={known}
          queues={listing?.queues ?? []}
          traces={traces ?? []}
          onChange={(path) => {
            const next = withPath(draft, id, path);
            change({ ...next, flows: id === 'forward' ? joinsAfter(draft.flows, draft, next) : draft.flows });
          }}
        />
      ))}
      <div className={form['help']}>
        Packets meet the elements from left to right. Random loss, bottleneck and delay in grey are the fields above.
      </div>
      {draft.elements === undefined ? null : (
        <div>
          <Button
            size="small"
            icon="retry"
            onPress={() => change({ elements: undefined, flows: joinsAfter(draft.flows, draft, {}) })}
          >
            Back to the usual path
          </Button>
        </div>
      )}
    </div>
  );
}

interface RowProps {
  readonly label: string;
  readonly path: readonly PathElement[];
  readonly known: readonly ElementDescriptor[];
  readonly queues: readonly QueueDescriptor[];
  readonly traces: readonly TraceRecord[];
  readonly onChange: (path: readonly PathElement[]) => void;
}

function Row({ label, path, known, queues, traces, onChange }: RowProps) {
  const [open, setOpen] = useState<number | null>(null);
  const about = (id: string) => known.find((element) => element.id === id);
  const opened = open === null ? undefined : path[open];
  const described = opened === undefined ? undefined : about(opened.element);
  return (
    <div className={css['row']}>
      <span className={css['direction']}>{label}</span>
      <ol className={css['path']} aria-label={`Path of the ${label.toLowerCase()}`}>
        {path.map((element, i) => (
          // Elements have no identity of their own but their place.
          <li key={i}>
            <Box
              element={element}
              about={about(element.element)}
              traces={traces}
              isFirst={i === 0}
              isLast={i === path.length - 1}
              onOpen={() => setOpen(i)}
              onMove={(by) => onChange(moved(path, i, by))}
              onRemove={() => onChange(path.toSpliced(i, 1))}
            />
          </li>
        ))}
        <li>
          <MenuButton
            icon="plus"
            size="small"
            aria-label={`Add an element to the path of the ${label.toLowerCase()}`}
            isDisabled={path.length >= LIMITS.path_elements.max}
            entries={known
              .filter(({ id, most = Infinity }) => path.filter(({ element }) => element === id).length < most)
              .map((element) => ({
                id: element.id,
                label: element.label,
                onAction: () => {
                  const next = element.queues ? newBottleneck(element.id) : { element: element.id, params: {} };
                  onChange(added(path, next));
                  // Nobody wants just the capacity that it begins with.
                  if (element.queues) setOpen(placeOfAdded(path));
                },
              }))}
          >
            Add
          </MenuButton>
        </li>
      </ol>
      {open === null || opened === undefined || described === undefined ? null : described.queues ? (
        <BottleneckDialog
          title={`Further ${described.label.toLowerCase()}`}
          about={described.summary}
          element={opened}
          queues={queues}
          traces={traces}
          onClose={() => setOpen(null)}
          onApply={(element) => onChange(path.with(open, element))}
        />
      ) : (
        <ElementDialog
          about={described}
          element={opened}
          onClose={() => setOpen(null)}
          onApply={(element) => onChange(path.with(open, element))}
        />
      )}
    </div>
  );
}

interface BoxProps {
  readonly element: PathElement;
  readonly about: ElementDescriptor | undefined;
  readonly traces: readonly TraceRecord[];
  readonly isFirst: boolean;
  readonly isLast: boolean;
  readonly onOpen: () => void;
  readonly onMove: (by: -1 | 1) => void;
  readonly onRemove: () => void;
}

function Box({ element, about, traces, isFirst, isLast, onOpen, onMove, onRemove }: BoxProps) {
  const name = about?.label ?? element.element;
  const label = `${name}${capacityText(element, traces)}${element.recorded === undefined ? '' : ', recorded'}`;
  if (isOwn(element)) return <span className={css['own']}>{label}</span>;
  return (
    <span className={css['box']}>
      <IconButton
        icon="left"
        size="small"
        label={`Move earlier: ${name}`}
        isDisabled={isFirst}
        onPress={() => onMove(-1)}
      />
      <span title={about?.summary}>{label}</span>
      {(about?.params.length ?? 0) > 0 || about?.queues === true ? (
        <IconButton icon="gear" size="small" label={`Parameters of ${name}`} onPress={onOpen} />
      ) : null}
      <IconButton icon="close" size="small" label={`Remove: ${name}`} onPress={onRemove} />
      <IconButton
        icon="chevron"
        size="small"
        label={`Move later: ${name}`}
        isDisabled={isLast}
        onPress={() => onMove(1)}
      />
    </span>
  );
}

function capacityText({ capacity }: PathElement, traces: readonly TraceRecord[]): string {
  if (capacity === undefined) return '';
  if ('rate_mbps' in capacity) return `, ${formatChosen(capacity.rate_mbps)} Mbps`;
  return `, ${traceOf(capacity, traces)?.name ?? capacity.trace}`;
}
