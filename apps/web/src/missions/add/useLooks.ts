import { useEffect, useState } from 'react';
import type { DroppedFile } from '../../base/dropped-files.ts';
import type { LookedFile } from './group.ts';
import { openViewers } from './look-at.ts';

/** Looks into the files one after the other. `looked` is null until all are done. */
export function useLooks(files: readonly DroppedFile[]): { done: number; looked: LookedFile[] | null } {
  const [done, setDone] = useState(0);
  const [looked, setLooked] = useState<LookedFile[] | null>(null);
  useEffect(() => {
    const viewers = openViewers();
    let current = true;
    const all = files.map(async ({ path, file }, id): Promise<LookedFile> => {
      const look = await viewers.lookAt(file);
      if (current) setDone((before) => before + 1);
      return { path, file, id, look };
    });
    void Promise.all(all).then((found) => current && setLooked(found));
    return () => {
      current = false;
      viewers.close();
    };
  }, [files]);
  return { done, looked };
}
