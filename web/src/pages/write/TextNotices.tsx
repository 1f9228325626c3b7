// What somebody who writes must know of their text beside what is wrong in it: that it is not kept, or that another tab has changed it.
import { Button } from '../../ui/button';
import { Notice } from '../../ui/notice';
import type { useDraft } from './use-draft';

const TROUBLES = {
  full: {
    title: 'This browser has no room left',
    text: 'What you type stays as long as this page is open. Delete a text that you no longer need, or download this one.',
  },
  forbidden: {
    title: 'This browser keeps nothing for this page',
    text: 'What you type stays as long as this page is open. Download it, or keep it on the server.',
  },
};

export function TextNotices({ draft }: { readonly draft: ReturnType<typeof useDraft> }) {
  const { trouble, before, gone, settle } = draft;
  const said = trouble === null ? null : TROUBLES[trouble];
  return (
    <>
      {said === null ? null : (
        <Notice kind="warning" title={said.title}>
          {said.text}
        </Notice>
      )}
      {before === null ? null : (
        <Notice
          kind="warning"
          title={gone ? 'Another tab has deleted this text' : 'Another tab has changed this text'}
          actions={
            <>
              <Button size="small" onPress={() => settle(true)}>
                {gone ? 'Keep it' : 'Keep what was here, too'}
              </Button>
              {gone ? null : (
                <Button size="small" kind="quiet" onPress={() => settle(false)}>
                  Fine
                </Button>
              )}
            </>
          }
        >
          {gone ? 'It is still shown here, and kept again as soon as you type.' : 'You see the newest.'}
        </Notice>
      )}
    </>
  );
}
