import { useCallback, useMemo, useState } from 'react';
import { z } from 'zod';
import { readStoredJson, writeStored } from '../../base/keys.ts';
import type { ColumnChoice } from './data-table.ts';

const shape = z.object({ hidden: z.array(z.string()), widths: z.record(z.string(), z.number()) });
const none: readonly string[] = [];

/** Which columns of a table are shown and how wide; kept on this machine under that storage key. */
export function useColumnChoice(storageKey: string, hiddenAtFirst: readonly string[] = none) {
  const atFirst = useMemo((): ColumnChoice => ({ hidden: hiddenAtFirst, widths: {} }), [hiddenAtFirst]);
  const [choice, setChoice] = useState<ColumnChoice>(() => shape.safeParse(readStoredJson(storageKey)).data ?? atFirst);

  const change = useCallback(
    (next: (before: ColumnChoice) => ColumnChoice) => {
      setChoice((before) => {
        const changed = next(before);
        writeStored(storageKey, JSON.stringify(changed));
        return changed;
      });
    },
    [storageKey],
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
  const reset = useCallback(() => change(() => atFirst), [change, atFirst]);
  return { choice, setWidth, toggle, reset };
}

export type Columns = ReturnType<typeof useColumnChoice>;
