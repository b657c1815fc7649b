import { useEffect, useState } from 'react';
import { askFineBase, type FineBase } from './fine-base.ts';

/** Returns the description of the server's finer coast; null until it is known, and if there is none. */
export function useFineBase(): FineBase | null {
  const [fine, setFine] = useState<FineBase | null>(null);
  useEffect(() => {
    let isOver = false;
    void askFineBase().then((found) => isOver || setFine(found));
    return () => {
      isOver = true;
    };
  }, []);
  return fine;
}
