import { useCallback, useMemo, useState } from 'react';
import { z } from 'zod';
import { readStoredJson, writeStored } from '../../base/keys.ts';
import type { ColumnChoice } from './data-table.ts';

const shape = z.object({ hidden: z.array(z.string()), widths: z.record(z.string(), z.number()) });
const none: readonly string[] = [];

/** Visible columns of a table and their widths, stored in this browser under the storage key. */
export function useColumnChoice(storageKey: string, hiddenAtFirst: readonly string[] = none) {
  const atFirst = useMemo((): ColumnChoice => ({ hidden: hiddenAtFirst, widths: {} }), [hiddenAtFirst]);
  // Null until the user chooses, since the default may depend on the width of the window.
  const [chosen, setChosen] = useState<ColumnChoice | null>(
    () => shape.safeParse(readStoredJson(storageKey)).data ?? null,
  );

  const change = useCallback(
    (next: (before: ColumnChoice) => ColumnChoice) => {
      setChosen((before) => {
        const changed = next(before ?? atFirst);
        writeStored(storageKey, JSON.stringify(changed));
        return changed;
      });
    },
    [storageKey, atFirst],
  );

  const setWidth = useCallback(
    (column: string, width: number | null) =>
      change(({ hidden, widths }) => {
        const { [column]: _before, ...others } = widths;
        return { hidden, widths: width === null ? others : { ...others, [column]: width } };
      }),
    [change],
  );
  const toggle = useCallback(
    (column: string) =>
      change(({ hidden, widths }) => ({
        widths,
        hidden: hidden.includes(column) ? hidden.filter((one) => one !== column) : [...hidden, column],
      })),
    [change],
  );
  const reset = useCallback(() => {
    setChosen(null);
    writeStored(storageKey, null);
  }, [storageKey]);
  return { choice: chosen ?? atFirst, setWidth, toggle, reset };
}

export type Columns = ReturnType<typeof useColumnChoice>;
