// What is not needed at first: behind its name.
import { type ReactNode, useState } from 'react';
import { Button, Disclosure, DisclosurePanel, Heading } from 'react-aria-components';
import { buttonClass } from './button';
import { Icon } from './icons';

interface FoldProps {
  readonly title: string;
  /** Whether it is open when it is first shown. */
  readonly open?: boolean;
  readonly children: ReactNode;
}

/** What is folded away is not made. */
export const Fold = ({ title, open = false, children }: FoldProps) => {
  const [shown, setShown] = useState(open);
  return (
    <Disclosure isExpanded={shown} onExpandedChange={setShown}>
      <Heading level={3}>
        <Button slot="trigger" className={buttonClass({ kind: 'quiet', size: 'small' })}>
          <Icon name="gear" size={14} />
          {title}
        </Button>
      </Heading>
      <DisclosurePanel>{shown ? children : null}</DisclosurePanel>
    </Disclosure>
  );
};
