import { mdiCursorMove, mdiSwapHorizontal } from '@mdi/js';
import { Box } from '@mui/material';
import type { PointerEvent } from 'react';
import { Action } from '../ui/Action.tsx';
import { useDrag } from '../ui/useDrag.ts';
import { texts } from './texts.ts';

type Props = {
  /** The map has the large place. */
  mapLeads: boolean;
  onExchange: () => void;
  /** Makes the map float over the picture. */
  onFree: () => void;
};

/** Distance from which a press is a drag, in px. */
const DRAG_PX = 6;

const small = { width: 28, height: 28 } as const;

/** Buttons in the corner of the map next to a large picture: exchange it with the picture, and let it float. */
export function MapCorner({ mapLeads, onExchange, onFree }: Props) {
  const handlers = useDrag({
    press: ({ clientX, clientY }: PointerEvent<HTMLElement>) => ({ x: clientX, y: clientY }),
    drag({ clientX, clientY }, from) {
      if (Math.hypot(clientX - from.x, clientY - from.y) >= DRAG_PX) onFree();
    },
  });
  return (
    <Box
      sx={{
        ...{ display: 'flex', gap: 0.5, p: 0.5, borderRadius: 1, border: 1 },
        ...{ borderColor: 'surface.line', bgcolor: 'surface.panel' },
      }}
    >
      {!mapLeads && (
        <Action
          label={texts.freeMap}
          icon={mdiCursorMove}
          onClick={onFree}
          {...handlers}
          sx={{ ...small, cursor: 'move', touchAction: 'none' }}
        />
      )}
      <Action label={texts.exchange} keys="X" icon={mdiSwapHorizontal} onClick={onExchange} sx={small} />
    </Box>
  );
}
