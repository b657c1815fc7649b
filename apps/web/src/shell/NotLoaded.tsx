import { mdiLanDisconnect } from '@mdi/js';
import { Button } from '@mui/material';
import { useEffect, useRef } from 'react';
import { texts } from '../base/texts.ts';
import { useServerState } from '../events/events.ts';
import { Notice } from '../ui/notice/Notice.tsx';

type Props = {
  onAgain: () => void;
  /** Reloads the page; replaced in tests. */
  reload?: () => void;
};

const loadPage = () => location.reload();

/**
 * Notice that replaces a part of the page whose code could not be loaded. When the server is back, the page is
 * reloaded, since Chromium remembers failed modules and requests them again only in a new page.
 */
export function NotLoaded({ onAgain, reload = loadPage }: Props) {
  const online = useServerState() === 'Online';
  const wasAway = useRef(false);
  useEffect(() => {
    if (online && wasAway.current) reload();
    wasAway.current = !online;
  }, [online, reload]);

  const { title, away, text, again, reload: loadAgain } = texts.notLoaded;
  return (
    <Notice failed icon={mdiLanDisconnect} title={title} text={online ? text : away}>
      <Button onClick={onAgain}>{again}</Button>
      {online && <Button onClick={reload}>{loadAgain}</Button>}
    </Notice>
  );
}
