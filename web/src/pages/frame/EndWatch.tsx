// Watches what goes on: the title of the tab tells how far it is and that it is over, and the desktop if somebody wants that.
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { experimentsQuery } from '../../api/queries';
import { type Ending, Endings, percentText, progressOf } from '../../settings/endings';
import { notifyDesktop } from '../../settings/notify';
import { preferences } from '../../settings/preferences';
import { formatDuration, plural } from '../../ui/format';
import { setTitlePrefix } from './tab-title';

/** Who waits for less looks on. */
const WORTH_TELLING_S = 20;
/** In a tab that nobody looks at. */
const HIDDEN_MS = 3000;
/** So long the title says that something is over to who looks at the page. */
const SHOWN_MS = 10_000;

export function EndWatch() {
  const navigate = useNavigate();
  const { data } = useQuery({
    ...experimentsQuery,
    // Also in the background, where titles and notifications are for, as long as something goes on.
    refetchIntervalInBackground: true,
    refetchInterval: ({ state }) => {
      const going = progressOf(state.data ?? []) !== null;
      return document.hidden ? (going ? HIDDEN_MS : false) : going ? 1000 : 10_000;
    },
  });
  const endings = useRef(new Endings());
  const [over, setOver] = useState('');
  useEffect(() => {
    if (data === undefined) return;
    const ended = endings.current.next(data, performance.now());
    const last = ended.at(-1);
    if (last === undefined) return;
    setOver(last.item.state === 'done' ? '✓' : last.item.state === 'failed' ? '✗' : '■');
    for (const each of ended) tell(each, () => void navigate({ to: '/e/$id', params: { id: each.item.id } }));
  }, [data, navigate]);

  useEffect(() => {
    if (over === '') return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = (): void => {
      if (document.hidden) clearTimeout(timer);
      else timer = setTimeout(() => setOver(''), SHOWN_MS);
    };
    look();
    document.addEventListener('visibilitychange', look);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', look);
    };
  }, [over]);

  const share = progressOf(data ?? []);
  useEffect(() => setTitlePrefix(share === null ? over : percentText(share)), [share, over]);
  return null;
}

/** Only of what somebody may have left for: a page in sight shows it. */
function tell({ item, took_s }: Ending, onOpen: () => void): void {
  if (!preferences().notify || took_s < WORTH_TELLING_S || (!document.hidden && document.hasFocus())) return;
  const { runs_total, runs_done, runs_failed, state } = item;
  const how = state === 'done' ? 'Done' : state === 'failed' ? 'Failed' : 'Stopped';
  const failed = runs_failed === 0 ? '' : `, ${runs_failed} failed`;
  const body = `${how}: ${runs_done} of ${plural(runs_total, 'run')}${failed}, after ${formatDuration(took_s)}.`;
  notifyDesktop(item.name, body, `paceline-${item.id}`, onOpen);
}
