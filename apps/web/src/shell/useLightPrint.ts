import { useEffect } from 'react';

/** Prints in the light scheme: browsers leave dark surfaces out, and light letters alone are not read on paper. */
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
