import { mdiChevronDown, mdiChevronRight } from '@mdi/js';
import { Box, Button } from '@mui/material';
import { type KeyboardEvent, type ReactNode, useState } from 'react';
import { formatCount } from '../base/format.ts';
import { readStoredJson, storageKeys, writeStored } from '../base/keys.ts';
import { Icon } from '../ui/Icon.tsx';
import { useDrag } from '../ui/useDrag.ts';
import { texts } from './texts.ts';

type Props = {
  /**
   * Number of missions whose places are shown. While it is unknown (null), the section reserves its space, so that
   * nothing moves when it appears.
   */
  count: number | null;
  children: ReactNode;
};

const USUAL_PX = 344;
const HEIGHT_MIN_PX = 160;
const HEIGHT_MAX_PX = 900;
const STEP_PX = 24;
/**
 * Height of the window below which the section is closed by default, in px: on a phone in landscape or at 200 % zoom,
 * no row of the table would be visible below the map.
 */
const LOW_WINDOW_PX = 560;

type Stored = { height: number; closed: boolean };

function stored(): Stored {
  const read = readStoredJson(storageKeys.missionsTopHeight) as Partial<Stored> | null;
  const height = typeof read?.height === 'number' ? read.height : USUAL_PX;
  const closed = typeof read?.closed === 'boolean' ? read.closed : window.innerHeight < LOW_WINDOW_PX;
  return { height: Math.min(HEIGHT_MAX_PX, Math.max(HEIGHT_MIN_PX, height)), closed };
}

/** Section with the map of places above the table. It can be closed and resized; both are remembered. */
export function TopSection({ count, children }: Props) {
  const [{ height, closed }, setShape] = useState(stored);

  function change(next: Stored) {
    const shape = { ...next, height: Math.min(HEIGHT_MAX_PX, Math.max(HEIGHT_MIN_PX, next.height)) };
    setShape(shape);
    writeStored(storageKeys.missionsTopHeight, JSON.stringify(shape));
  }

  const handlers = useDrag({
    press: ({ clientY }) => ({ y: clientY, height }),
    drag: ({ clientY }, start) => change({ height: start.height + clientY - start.y, closed }),
  });

  function onKeyDown(event: KeyboardEvent) {
    const step = { ArrowDown: STEP_PX, ArrowUp: -STEP_PX }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    change({ height: height + step, closed });
  }

  const title = formatCount(count ?? 0, texts.places.title);
  return (
    <Box
      component="section"
      aria-label={title}
      sx={{ flex: 'none', position: 'relative', visibility: count === null ? 'hidden' : 'visible' }}
    >
      <Box
        sx={{
          position: closed ? 'static' : 'absolute',
          top: 8,
          left: 8,
          zIndex: 2,
          minHeight: closed ? 32 : 0,
          ...(closed && { p: { xs: 2, sm: 0 }, pb: 0 }),
        }}
      >
        <Button
          aria-expanded={!closed}
          startIcon={<Icon path={closed ? mdiChevronRight : mdiChevronDown} />}
          onClick={() => change({ height, closed: !closed })}
        >
          {title}
        </Button>
      </Box>
      {!closed && (
        <>
          <Box
            sx={{
              height: { xs: `min(${height}px, 32dvh)`, sm: `min(${height}px, 55dvh)` },
              border: { xs: 0, sm: 1 },
              borderColor: { sm: 'divider' },
              borderRadius: { xs: 0, sm: 2 },
              overflow: 'hidden',
              position: 'relative',
            }}
          >
            {children}
          </Box>
          <Box
            role="separator"
            tabIndex={0}
            aria-orientation="horizontal"
            aria-label={texts.places.height}
            aria-valuenow={height}
            aria-valuemin={HEIGHT_MIN_PX}
            aria-valuemax={HEIGHT_MAX_PX}
            {...handlers}
            onKeyDown={onKeyDown}
            sx={{
              position: 'absolute',
              left: 0,
              right: 0,
              bottom: -8,
              height: 8,
              cursor: 'row-resize',
              touchAction: 'none',
              '&:hover::after, &:focus-visible::after': {
                content: '""',
                position: 'absolute',
                left: '50%',
                ml: -4,
                width: 32,
                top: 3,
                height: 2,
                borderRadius: 1,
                bgcolor: 'primary.main',
              },
            }}
          />
        </>
      )}
    </Box>
  );
}
