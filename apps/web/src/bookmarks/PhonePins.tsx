import { mdiBookmarkOutline, mdiTrashCanOutline } from '@mdi/js';
import { Box, ButtonBase } from '@mui/material';
import type { Bookmark } from '@osprey/contract';
import { type PointerEvent, useRef, useState } from 'react';
import { fill, formatClock, plainText } from '../base/format.ts';
import { AddToCase } from '../cases/add/AddToCase.tsx';
import type { MarkedMission } from '../missionview/feature.ts';
import { Action } from '../ui/Action.tsx';
import { Icon } from '../ui/Icon.tsx';
import { FailedNotice } from '../ui/notice/FailedNotice.tsx';
import { Notice } from '../ui/notice/Notice.tsx';
import { collectedBookmarks } from './collected.ts';
import { Picture, stateText } from './columns.tsx';
import type { MarkedView } from './marked-view.ts';
import { texts } from './texts.ts';
import { useBookmarkActs } from './useBookmarkActs.ts';
import { useBookmarks } from './useBookmarks.ts';

/** Minimum distance of a swipe to the left that deletes a bookmark, in pixels. */
const SWIPE_MIN_PX = 112;
/** Minimum movement that counts as a drag, in pixels; a shorter movement is a tap, or scrolls the list. */
const SLOP_PX = 10;

/**
 * List of a mission's bookmarks on a phone. A tap moves to the bookmark, a swipe to the left deletes it, and Undo
 * restores it.
 */
export function PhonePins({ view }: { view: MarkedView }) {
  const { bookmarks, loading, error, refetch } = useBookmarks(view.mission._id);
  const { remove } = useBookmarkActs();
  if (error !== null && bookmarks.length === 0)
    return <FailedNotice title={texts.failed} error={error} onRetry={refetch} />;
  if (!loading && bookmarks.length === 0) {
    const text = view.mayMark ? texts.empty.phone : texts.empty.guest;
    return <Notice icon={mdiBookmarkOutline} title={texts.empty.title} text={text} />;
  }
  return (
    <Box
      component="ul"
      aria-label={texts.pins}
      sx={{ m: 0, p: 0, height: '100%', overflowY: 'auto', listStyle: 'none' }}
    >
      {bookmarks.map((bookmark) => (
        <PinRow
          key={bookmark._id}
          bookmark={bookmark}
          mission={view.mission}
          onGo={() => view.go(bookmark)}
          onRemove={bookmark.editable ? () => void remove([bookmark]) : null}
        />
      ))}
    </Box>
  );
}

type RowProps = { bookmark: Bookmark; mission: MarkedMission; onGo: () => void; onRemove: (() => void) | null };

function PinRow({ bookmark, mission, onGo, onRemove }: RowProps) {
  const { title, text, time, sensorName } = bookmark;
  const swipe = useSwipeAway(onRemove);
  const isAway = swipe.px <= -SWIPE_MIN_PX;
  return (
    <Box
      component="li"
      sx={{
        position: 'relative',
        // Cards far below the visible area are not rendered.
        contentVisibility: 'auto',
        containIntrinsicSize: 'auto 64px',
        borderBottom: 1,
        borderColor: 'divider',
        bgcolor: isAway ? 'error.main' : 'surface.base',
      }}
    >
      <Icon
        path={mdiTrashCanOutline}
        sx={{ position: 'absolute', right: 24, top: 20, color: isAway ? 'error.contrastText' : 'text.secondary' }}
      />
      <Box
        {...swipe.handlers}
        sx={{ display: 'flex', alignItems: 'center', bgcolor: 'surface.panel', touchAction: 'pan-y' }}
        style={{ transform: `translateX(${swipe.px}px)`, transition: swipe.px === 0 ? 'transform 150ms' : 'none' }}
      >
        <ButtonBase
          onClick={() => !swipe.wasMoved() && onGo()}
          sx={{ flex: 1, minWidth: 0, minHeight: 64, px: 3, gap: 3, justifyContent: 'flex-start', textAlign: 'left' }}
        >
          <Picture row={bookmark} width={80} />
          <Box sx={{ minWidth: 0 }}>
            <Box sx={{ fontWeight: 600, overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' }}>
              {plainText(title)}
            </Box>
            <Box
              sx={{
                color: 'text.secondary',
                fontSize: 12,
                overflow: 'hidden',
                textOverflow: 'ellipsis',
                whiteSpace: 'nowrap',
              }}
            >
              {[`${formatClock(time)} Z`, sensorName ?? '', stateText(bookmark) ?? plainText(text)]
                .filter((part) => part !== '')
                .join(', ')}
            </Box>
          </Box>
        </ButtonBase>
        <AddToCase title={title} of={() => collectedBookmarks([bookmark], mission)} />
        {onRemove && (
          <Action
            label={fill(texts.row.remove, { title })}
            hint={texts.swipe}
            icon={mdiTrashCanOutline}
            onClick={onRemove}
            sx={{ width: 44, height: 44, mr: 1 }}
          />
        )}
      </Box>
    </Box>
  );
}

/** Tracks how far a finger has moved an element to the left, and calls `onAway` if that is far enough. */
function useSwipeAway(onAway: (() => void) | null) {
  const [px, setPx] = useState(0);
  const from = useRef<{ x: number; by: number } | null>(null);
  const moved = useRef(false);
  const handlers = {
    onPointerDown(event: PointerEvent<HTMLElement>) {
      moved.current = false;
      if (onAway !== null && event.button === 0) from.current = { x: event.clientX, by: event.pointerId };
    },
    onPointerMove(event: PointerEvent<HTMLElement>) {
      if (from.current?.by !== event.pointerId) return;
      const by = Math.min(0, event.clientX - from.current.x);
      if (!moved.current && by > -SLOP_PX) return;
      if (!moved.current) event.currentTarget.setPointerCapture(event.pointerId);
      moved.current = true;
      setPx(by);
    },
    onPointerUp(event: PointerEvent<HTMLElement>) {
      if (from.current?.by === event.pointerId && px <= -SWIPE_MIN_PX) onAway?.();
      end();
    },
    onPointerCancel: end,
  };
  function end() {
    from.current = null;
    setPx(0);
  }
  return { px, handlers, wasMoved: () => moved.current };
}
