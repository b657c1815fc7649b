import { mdiFolderOpenOutline } from '@mdi/js';
import { Box, Button } from '@mui/material';
import type { CasePart, CaseRow } from '@osprey/contract';
import { useLayoutEffect, useMemo, useRef, useState } from 'react';
import { fill, formatNumber, plainText } from '../../base/format.ts';
import { unseen } from '../../base/sizes.ts';
import { FailedNotice } from '../../ui/notice/FailedNotice.tsx';
import { Notice } from '../../ui/notice/Notice.tsx';
import { PartRow, type RowActs } from './PartRow.tsx';
import { isSameOrder, moved } from './part-order.ts';
import { texts } from './texts.ts';
import type { useCaseParts } from './useCaseParts.ts';
import type { PartActs } from './usePartActs.ts';

type Props = {
  row: CaseRow;
  listed: ReturnType<typeof useCaseParts>;
  acts: PartActs;
  /** Id of the part that is selected on the map; null: none. */
  chosen: string | null;
  onChoose: (id: string) => void;
  onEditNote: (part: CasePart) => void;
};

/** Number of parts that are rendered at first, and added with each step. */
const STEP = 100;
type Drop = { dragged: string; over: string | null; isAfter: boolean };

/** List of the parts of a case in order. The order can be changed by dragging and by keyboard. */
export function PartsList({ row, listed, acts, chosen, onChoose, onEditNote }: Props) {
  const { parts, loading, error, refetch, reorder } = listed;
  const list = useRef<HTMLOListElement>(null);
  const focusNext = useRef<string | null>(null);
  const [limit, setLimit] = useState(STEP);
  // Kept in a ref as well, since a part may be dropped before the last drop position has been rendered.
  const dragging = useRef<Drop | null>(null);
  const [drop, setDrop] = useState<Drop | null>(null);
  const [said, setSaid] = useState('');
  const ids = useMemo(() => parts.map(({ _id }) => _id), [parts]);
  const shown = Math.max(limit, ids.indexOf(chosen ?? '') + 1);

  // Restores the focus, since a row that changes its position loses it.
  useLayoutEffect(() => {
    const id = focusNext.current;
    focusNext.current = null;
    if (id !== null) elementOf(list.current, id)?.focus();
  }, [parts]);

  function moveTo(id: string, place: number) {
    const next = moved(ids, id, place);
    if (isSameOrder(next, ids)) return;
    focusNext.current = id;
    const part = parts.find(({ _id }) => _id === id);
    const values = { title: plainText(part?.title ?? ''), place: next.indexOf(id) + 1, count: next.length };
    setSaid(fill(texts.moved, values));
    reorder(next);
  }

  function drag(next: Drop | null) {
    const before = dragging.current;
    if (before?.over === next?.over && before?.isAfter === next?.isAfter && before?.dragged === next?.dragged) return;
    dragging.current = next;
    setDrop(next);
  }

  function dropNow(isDropped: boolean) {
    const at = dragging.current;
    drag(null);
    if (!isDropped || at === null || at.over === null || at.over === at.dragged) return;
    const others = ids.filter((id) => id !== at.dragged);
    moveTo(at.dragged, others.indexOf(at.over) + Number(at.isAfter));
  }

  const rowActs: RowActs = {
    move: moveTo,
    walk(id, by) {
      const place = Math.max(0, Math.min(ids.length - 1, ids.indexOf(id) + by));
      if (place >= shown) setLimit(place + 1);
      const target = ids[place];
      if (target !== undefined) elementOf(list.current, target)?.focus();
    },
    choose: onChoose,
    editNote: onEditNote,
    dragStart: (dragged) => drag({ dragged, over: null, isAfter: false }),
    dragOver: (over, isAfter) => dragging.current && drag({ ...dragging.current, over, isAfter }),
    dragEnd: dropNow,
  };

  if (error !== null && parts.length === 0) {
    return <FailedNotice title={texts.partsFailed} error={error} onRetry={refetch} />;
  }
  if (!loading && parts.length === 0) {
    const { title, text, reader } = texts.empty;
    return <Notice icon={mdiFolderOpenOutline} title={title} text={row.editable ? text : reader} />;
  }
  const rest = parts.length - shown;
  return (
    <>
      <Box
        component="ol"
        ref={list}
        aria-label={texts.parts}
        aria-busy={loading}
        sx={{ listStyle: 'none', m: 0, p: 0 }}
      >
        {parts.slice(0, shown).map((part, place) => (
          <PartRow
            key={part._id}
            part={part}
            place={place}
            count={parts.length}
            editable={row.editable}
            held={row.held && part.kind !== 'note'}
            chosen={part._id === chosen}
            drop={drop?.over === part._id ? (drop.isAfter ? 'after' : 'before') : null}
            parts={part.kind === 'note' ? parts : none}
            acts={acts}
            row={rowActs}
          />
        ))}
      </Box>
      {rest > 0 && (
        <Button onClick={() => setLimit(shown + STEP)} sx={{ m: 3 }}>
          {fill(texts.more, { count: formatNumber(Math.min(rest, STEP)) })}
        </Button>
      )}
      <Box role="status" sx={unseen}>
        {said}
      </Box>
    </>
  );
}

const none: readonly CasePart[] = [];

const elementOf = (list: HTMLElement | null, id: string): HTMLElement | undefined =>
  [...(list?.querySelectorAll<HTMLElement>('[data-part-id]') ?? [])].find(({ dataset }) => dataset.partId === id);

/** Scrolls a part into view, and focuses it. */
export function showRow(id: string): void {
  const element = elementOf(document.body, id);
  element?.scrollIntoView({ block: 'nearest' });
  element?.focus();
}
