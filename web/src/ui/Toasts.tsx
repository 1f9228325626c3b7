// Where news stand. F6 leads to them; who stays in them keeps them.
import {
  Text,
  UNSTABLE_Toast as Toast,
  UNSTABLE_ToastContent as ToastContent,
  UNSTABLE_ToastRegion as ToastRegion,
} from 'react-aria-components';
import { Button, IconButton } from './button';
import { cx } from './cx';
import { toasts } from './toast-queue';
import css from './toasts.module.css';

export const Toasts = () => (
  <ToastRegion queue={toasts} className={cx(css['region'])}>
    {({ toast }) => (
      <Toast toast={toast} className={cx(css['toast'], toast.content.kind === 'problem' && css['problem'])}>
        <ToastContent className={cx(css['content'])}>
          <Text slot="title">{toast.content.text}</Text>
        </ToastContent>
        {toast.content.undo === undefined ? null : (
          <Button size="small" onPress={() => void toast.content.undo?.()}>
            Undo
          </Button>
        )}
        <IconButton slot="close" icon="close" size="small" label="Dismiss" />
      </Toast>
    )}
  </ToastRegion>
);
