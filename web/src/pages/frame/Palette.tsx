// Ctrl/⌘ K: everything that can be done or opened, found by typing.
import {
  Autocomplete,
  Dialog,
  Input,
  Menu,
  MenuItem,
  Modal,
  ModalOverlay,
  SearchField,
  useFilter,
} from 'react-aria-components';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { KeyboardEvent } from 'react';
import { isOffered } from '#analysis/kinds';
import { enginesQuery, experimentsQuery, tracesQuery } from '../../api/queries';
import { type Command, keyLabel, useAllCommands } from '../../ui/commands';
import { cx } from '../../ui/cx';
import { Icon } from '../../ui/icons';
import { forgetTyped, useTypedAhead } from './typed-ahead';
import frame from './frame.module.css';
import menu from '../../ui/menu.module.css';
import css from './palette.module.css';

interface PaletteProps {
  readonly open: boolean;
  readonly onClose: () => void;
}

function useEntries(open: boolean): Command[] {
  const navigate = useNavigate();
  const commands = useAllCommands();
  const traces = useQuery({ ...tracesQuery, enabled: open });
  const experiments = useQuery({ ...experimentsQuery, enabled: open });
  const engines = useQuery({ ...enginesQuery, enabled: open });
  return [
    ...commands,
    ...(engines.data?.ccas ?? []).filter(isOffered).map((cca) => ({
      id: `cca:${cca.id}`,
      title: cca.label,
      group: 'Algorithm',
      keywords: `${cca.id} ${cca.family}`,
      run: () => void navigate({ to: '/ccas/$id', params: { id: cca.id } }),
    })),
    ...(experiments.data ?? []).map((e) => ({
      id: `e:${e.id}`,
      title: e.name,
      group: 'Experiment',
      keywords: `${e.ccas.join(' ')} ${e.traces.join(' ')} ${e.id}`,
      run: () => void navigate({ to: '/e/$id', params: { id: e.id } }),
    })),
    ...(traces.data ?? []).map((t) => ({
      id: `t:${t.id}`,
      title: t.name,
      group: 'Trace',
      keywords: [...t.formerly, t.technology, t.place, t.description].join(' '),
      run: () => void navigate({ to: '/traces/$id', params: { id: t.id } }),
    })),
  ];
}

/** What is found by typing. */
const textOf = ({ title, group, keywords }: Command): string => `${title} ${group} ${keywords ?? ''}`;

export function Palette({ open, onClose }: PaletteProps) {
  const { contains } = useFilter({ sensitivity: 'base' });
  const entries = useEntries(open);
  const typed = useTypedAhead();
  const close = (): void => {
    forgetTyped();
    onClose();
  };
  const choose = (entry: Command | undefined): void => {
    if (entry === undefined) return;
    close();
    entry.run();
  };
  // The list marks its first entry a moment after it was found: who is quicker means that one.
  const chooseUnmarked = (event: KeyboardEvent<HTMLInputElement>): void => {
    const { value } = event.currentTarget;
    const isMarked = (event.currentTarget.getAttribute('aria-activedescendant') ?? '') !== '';
    if (event.key !== 'Enter' || event.nativeEvent.isComposing || isMarked || value === '') return;
    event.preventDefault();
    event.stopPropagation();
    choose(entries.find((entry) => contains(textOf(entry), value)));
  };
  return (
    <ModalOverlay isOpen={open} onOpenChange={(next) => !next && close()} isDismissable className={cx(menu['overlay'])}>
      <Modal className={cx(menu['modal'])}>
        <Dialog aria-label="Search and commands">
          <Autocomplete filter={contains} defaultInputValue={typed}>
            {/* Whoever opens the palette wants to type. */}
            {/* eslint-disable-next-line jsx-a11y/no-autofocus */}
            <SearchField aria-label="Search and commands" autoFocus className={cx(css['field'])}>
              <Icon name="search" />
              <Input
                className={cx(css['input'])}
                placeholder="Search or type a command"
                onKeyDownCapture={chooseUnmarked}
              />
            </SearchField>
            {/* The focus stays in the field; a list that scrolls must be reachable all the same. */}
            {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
            <div className={css['list']} role="group" aria-label="Results" tabIndex={0}>
              <Menu
                aria-label="Results"
                items={entries}
                onAction={(id) => choose(entries.find((entry) => entry.id === id))}
                renderEmptyState={() => <div className={css['none']}>Nothing has this name.</div>}
              >
                {(entry) => (
                  <MenuItem id={entry.id} textValue={textOf(entry)} className={cx(css['item'])}>
                    <span className={css['group']}>{entry.group}</span>
                    <span className={css['title']}>{entry.title}</span>
                    {entry.keys === undefined ? null : <kbd className={frame['kbd']}>{keyLabel(entry.keys)}</kbd>}
                  </MenuItem>
                )}
              </Menu>
            </div>
          </Autocomplete>
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}
