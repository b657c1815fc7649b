import { useEffect } from 'react';
import { useSnackbar } from '../ui/notice/Snackbar.tsx';
import { belongsToFocus, commandOf } from './keys.ts';
import { texts } from './texts.ts';

/**
 * If no mission is open, keys that play, pause or change the speed show a message that explains why nothing happens.
 * Space scrolls the page as usual.
 */
export function useKeysWithoutMission(nothingOpen: boolean): void {
  const { show } = useSnackbar();
  useEffect(() => {
    if (!nothingOpen) return;
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.repeat || belongsToFocus(event.target, event.key)) return;
      const command = commandOf(event)?.do;
      if (command === 'pause' || command === 'faster' || command === 'slower') show(texts.noMission, 'warning');
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [nothingOpen, show]);
}
