import { useEffect } from 'react';
import { texts } from '../base/texts.ts';

/**
 * Sets the title of the tab and the history entry. It must never contain a mission's name, since titles end up in logs
 * and on other screens.
 */
export function usePageTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · ${texts.product}`;
  }, [title]);
}
