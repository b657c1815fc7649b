import { useEffect, useState } from 'react';
import type { DroppedFile } from '../../base/dropped-files.ts';
import type { InspectedFile } from './group.ts';
import { openInspector } from './inspector.ts';

/** Inspects the files one after the other. `inspected` is null until all are done. */
export function useInspections(files: readonly DroppedFile[]): { done: number; inspected: InspectedFile[] | null } {
  const [done, setDone] = useState(0);
  const [inspected, setInspected] = useState<InspectedFile[] | null>(null);
  useEffect(() => {
    const inspector = openInspector();
    let current = true;
    const all = files.map(async ({ path, file }, id): Promise<InspectedFile> => {
      const inspection = await inspector.inspect(file);
      if (current) setDone((before) => before + 1);
      return { path, file, id, inspection };
    });
    void Promise.all(all).then((found) => current && setInspected(found));
    return () => {
      current = false;
      inspector.close();
    };
  }, [files]);
  return { done, inspected };
}
