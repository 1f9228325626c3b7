// ?: the keys of every command that is there now.
import { useState } from 'react';
import { keyLabel, setSingleKeys, singleKeysOn, useAllCommands } from '../../ui/commands';
import { Switch } from '../../ui/toggle';
import { Dialog } from '../../ui/overlay';
import frame from './frame.module.css';
import css from './palette.module.css';

export function ShortcutHelp({ open, onClose }: { readonly open: boolean; readonly onClose: () => void }) {
  const commands = useAllCommands().filter((command) => command.keys !== undefined);
  const groups = [...new Set(commands.map((command) => command.group))];
  const [single, setSingle] = useState(singleKeysOn);
  return (
    <Dialog title="Keyboard shortcuts" open={open} onClose={onClose} wide>
      <div className={css['keys']}>
        {groups.map((group) => (
          <section key={group}>
            <h3>{group}</h3>
            {commands
              .filter((command) => command.group === group)
              .map((command) => (
                <div key={command.id} className={css['row']}>
                  <span>{command.title}</span>
                  <kbd className={frame['kbd']}>{keyLabel(command.keys ?? '')}</kbd>
                </div>
              ))}
          </section>
        ))}
      </div>
      <div className={css['option']}>
        <Switch
          value={single}
          onChange={(on) => {
            setSingleKeys(on);
            setSingle(on);
          }}
        >
          Shortcuts of a single key
        </Switch>
      </div>
    </Dialog>
  );
}
