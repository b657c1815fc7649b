import { useEffect } from 'react';
import { texts } from '../base/texts.ts';

/**
 * Names the tab and the history entry. It never contains a mission's name: titles end up in logs and on other screens.
 */
export function usePageTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · ${texts.product}`;
  }, [title]);
}
