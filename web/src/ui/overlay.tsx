// What floats: menus and dialogs.
import type { ReactNode } from 'react';
import {
  Dialog as AriaDialog,
  Heading,
  Menu as AriaMenu,
  MenuItem as AriaMenuItem,
  MenuTrigger,
  Modal,
  ModalOverlay,
  Popover,
} from 'react-aria-components';
import { Button, type ButtonProps, IconButton } from './button';
import { cx } from './cx';
import { Icon, type IconName } from './icons';
import css from './menu.module.css';

export interface MenuEntry {
  readonly id: string;
  readonly label: string;
  readonly icon?: IconName;
  readonly onAction?: () => void;
  readonly href?: string;
  /** Saves the address as a file instead of going there. */
  readonly download?: boolean;
}

export function MenuButton({ entries, children, ...button }: ButtonProps & { readonly entries: readonly MenuEntry[] }) {
  return (
    <MenuTrigger>
      <Button {...button}>
        {children}
        {children === undefined ? null : <Icon name="down" size={12} />}
      </Button>
      <Popover className={cx(css['popover'])} placement="bottom end" offset={4}>
        <AriaMenu className={cx(css['list'])} items={entries}>
          {(entry) => (
            <AriaMenuItem
              id={entry.id}
              textValue={entry.label}
              className={cx(css['item'])}
              {...(entry.onAction === undefined ? {} : { onAction: entry.onAction })}
              {...(entry.href === undefined ? {} : { href: entry.href })}
              {...(entry.download === true ? { download: true } : {})}
            >
              {entry.icon === undefined ? null : <Icon name={entry.icon} />}
              {entry.label}
            </AriaMenuItem>
          )}
        </AriaMenu>
      </Popover>
    </MenuTrigger>
  );
}

export interface DialogProps {
  readonly title: string;
  readonly open: boolean;
  readonly onClose: () => void;
  readonly wide?: boolean;
  /** Its buttons: in sight however long the rest is. */
  readonly foot?: ReactNode;
  readonly children: ReactNode;
}

export function Dialog({ title, open, onClose, wide = false, foot, children }: DialogProps) {
  return (
    <ModalOverlay
      isOpen={open}
      onOpenChange={(next) => !next && onClose()}
      isDismissable
      className={cx(css['overlay'])}
    >
      <Modal className={cx(css['modal'], wide && css['wide'])}>
        <AriaDialog className={cx(css['dialog'])}>
          <div className={css['head']}>
            <Heading slot="title" level={2}>
              {title}
            </Heading>
            <IconButton icon="close" label="Close" size="small" onPress={onClose} />
          </div>
          {children}
          {foot === undefined ? null : <div className={css['foot']}>{foot}</div>}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}
