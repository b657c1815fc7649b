import { useCallback, useMemo, useRef, useState } from 'react';

const nothing: ReadonlySet<string> = new Set();

/** Rows selected by their checkboxes; with Shift, all rows from the last selected one. */
export function useSelection<Row extends { _id: string }>(rows: readonly Row[]) {
  const [ids, setIds] = useState<ReadonlySet<string>>(nothing);
  const lastChosen = useRef<string | null>(null);

  const toggle = useCallback(
    (id: string, extend: boolean) => {
      const from = rows.findIndex(({ _id }) => _id === lastChosen.current);
      const to = rows.findIndex(({ _id }) => _id === id);
      lastChosen.current = id;
      setIds((before) => {
        const next = new Set(before);
        if (extend && from >= 0 && to >= 0) {
          for (const { _id } of rows.slice(Math.min(from, to), Math.max(from, to) + 1)) next.add(_id);
        } else if (!next.delete(id)) next.add(id);
        return next;
      });
    },
    [rows],
  );
  const all = useCallback((chosen: boolean) => setIds(chosen ? new Set(rows.map(({ _id }) => _id)) : nothing), [rows]);
  const choose = useCallback((requested: readonly string[]) => setIds(new Set(requested)), []);
  const clear = useCallback(() => setIds(nothing), []);

  // Rows that left the list are no longer selected.
  const chosen = useMemo(() => rows.filter(({ _id }) => ids.has(_id)), [rows, ids]);
  const chosenIds = useMemo(() => new Set(chosen.map(({ _id }) => _id)), [chosen]);
  return { chosen, chosenIds, toggle, all, choose, clear };
}

export type Selection<Row extends { _id: string }> = ReturnType<typeof useSelection<Row>>;
