// Before a text of somebody else runs here: what it is, what it could do, and the button that runs it.
import type { OwnAlgorithmText } from '#protocol/own-algorithm';
import { Button } from '../../ui/button';
import { formatBytes, plural } from '../../ui/format';
import { Facts } from '../../ui/page';
import css from './write.module.css';

export function Consent({ kept, onRun }: { readonly kept: OwnAlgorithmText; readonly onRun: () => void }) {
  const { text, id, declaration } = kept;
  const lines = text.trimEnd().split('\n').length;
  return (
    <section className={css['consent']} aria-label="Before it runs">
      <h2>Nothing of it has run yet</h2>
      <p>
        Somebody wrote this text and sent you the link. If you run it, it is interpreted in a worker of this page: it
        sees the packets of a simulated link and nothing else. It has no network, no files, no access to this page or to
        your other tabs, no clock, and it is ended when it takes too many steps or too much memory. After that you can
        make a copy of it to change.
      </p>
      <Facts
        facts={[
          { label: 'Length', value: plural(lines, 'line'), note: formatBytes(new TextEncoder().encode(text).length) },
          { label: 'Parameters', value: String(declaration.params.length) },
          { label: 'Internals', value: String(declaration.internals.length) },
        ]}
      />
      <p className={css['hash']}>
        <code>{id}</code>
      </p>
      <Button kind="primary" icon="play" size="large" onPress={onRun}>
        Run it here
      </Button>
    </section>
  );
}
