// The head of the page of an experiment, a run or a trace: its name, its star, its tags, its note, and what becomes of it.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { changeLabels, labelsQuery, type Change } from '../../api/labels';
import { useFrozen } from '../../share/frozen';
import { MenuButton, type MenuEntry } from '../../ui/overlay';
import { Badge, PageHead } from '../../ui/page';
import { showProblem } from '../../ui/toasts';
import { NameField } from './NameField';
import { Star } from './Star';
import { TagsAndNote } from './TagsAndNote';
import { archive, remove, type NamedThing } from './undoable';
import css from './organise.module.css';

interface OrganiseHeadProps {
  /** `name`: as the server has it, or as it is called when nobody has named it. */
  readonly thing: NamedThing;
  /** It keeps its name. */
  readonly fixed?: boolean;
  readonly badge?: ReactNode;
  readonly actions?: ReactNode;
  /** Before those that all things have. */
  readonly menu?: readonly MenuEntry[];
  /** Absent: it cannot be deleted. `to`: where to go when it is gone. */
  readonly deletable?: { readonly to: '/' | '/traces' };
  readonly children?: ReactNode;
}

/** Of a share nothing can be changed: its page has the name as it was, and neither tags nor notes. */
export function OrganiseHead(props: OrganiseHeadProps) {
  const frozen = useFrozen();
  return frozen === null ? (
    <LiveHead {...props} />
  ) : (
    <PageHead
      title={
        <>
          {props.thing.name} {props.badge}
        </>
      }
    >
      {props.children}
    </PageHead>
  );
}

function LiveHead({ thing, fixed = false, badge, actions, menu = [], deletable, children }: OrganiseHeadProps) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const { data: labels } = useQuery(labelsQuery(thing));
  const change = (what: Change): Promise<unknown> => changeLabels(queries, thing, what);
  const set = (what: Change): void => void change(what).catch(showProblem);
  const name = labels?.name ?? thing.name;
  const { tags = [], note = '', archived = false } = labels ?? {};
  const called = { ...thing, name };
  const entries: MenuEntry[] = [
    ...menu,
    {
      id: 'archive',
      label: archived ? 'Take out of the archive' : 'Archive',
      icon: 'archive',
      onAction: () => void archive(queries, [called], !archived),
    },
    ...(deletable === undefined
      ? []
      : [
          {
            id: 'delete',
            label: 'Delete',
            icon: 'trash' as const,
            onAction: () => void remove(queries, [called]).then((gone) => gone && void navigate({ to: deletable.to })),
          },
        ]),
  ];
  return (
    <PageHead
      heading={
        <div className={css['heading1']}>
          <Star thing={called} on={labels?.starred ?? false} />
          <NameField name={name} onRename={fixed ? undefined : (next) => set({ name: next })}>
            {badge} {archived ? <Badge>archived</Badge> : null}
          </NameField>
        </div>
      }
      actions={
        <>
          {actions}
          <MenuButton kind="quiet" aria-label="More" icon="more" entries={entries} />
        </>
      }
      below={<TagsAndNote name={name} tags={tags} note={note} change={change} />}
    >
      {children}
    </PageHead>
  );
}
