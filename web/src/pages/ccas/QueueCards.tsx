// The queue disciplines of the engine.
import type { QueueDescriptor } from '#protocol/cca';
import { Badge, Section } from '../../ui/page';
import { ParamList } from './ParamList';
import css from './ccas.module.css';

export const QueueCards = ({ queues }: { readonly queues: readonly QueueDescriptor[] }) => (
  <Section title="Queue disciplines" note="Who is refused or dropped when the queue grows.">
    <ul className={css['cards']}>
      {queues.map((queue) => (
        <li key={queue.id} className={css['card']}>
          <div className={css['name']}>
            <h3>{queue.label}</h3>
            <code>{queue.id}</code>
            {queue.limited ? null : <Badge>no limit</Badge>}
          </div>
          <p>{queue.summary}</p>
          <ParamList params={queue.params} />
          <p className={css['facts']}>{queue.source}</p>
        </li>
      ))}
    </ul>
  </Section>
);
