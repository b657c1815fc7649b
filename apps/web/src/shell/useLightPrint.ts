import { useEffect } from 'react';

/**
 * Prints in the light scheme, since browsers omit dark backgrounds and the remaining light text would be unreadable on
 * paper.
 */
export function useLightPrint(): void {
  useEffect(() => {
    const root = document.documentElement;
    let before: string | null = null;
    const begin = () => {
      before = root.dataset.scheme ?? null;
      root.dataset.scheme = 'light';
    };
    const end = () => {
      if (before !== null) root.dataset.scheme = before;
    };
    window.addEventListener('beforeprint', begin);
    window.addEventListener('afterprint', end);
    return () => {
      window.removeEventListener('beforeprint', begin);
      window.removeEventListener('afterprint', end);
    };
  }, []);
}
