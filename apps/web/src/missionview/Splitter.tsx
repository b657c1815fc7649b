import { Box } from '@mui/material';
import type { KeyboardEvent, PointerEvent } from 'react';
import { useDrag } from '../ui/useDrag.ts';
import { texts } from './texts.ts';

type Props = {
  share: number;
  /** Width to the right of both columns, including the gap before it, in px. */
  besidePx: number;
  onShare: (share: number) => void;
};

const LEAST = 0.25;
const MOST = 0.8;
const KEY_STEP = 0.02;

const clamp = (share: number) => Math.min(MOST, Math.max(LEAST, share));

/** Splitter between two columns, moved by dragging or by the arrow keys. */
export function Splitter({ share, besidePx, onShare }: Props) {
  function drag(event: PointerEvent<HTMLElement>) {
    const bounds = event.currentTarget.parentElement?.getBoundingClientRect();
    if (bounds) onShare(clamp((event.clientX - bounds.left) / (bounds.width - besidePx)));
  }
  const handlers = useDrag({ press: () => null, drag });
  function onKeyDown(event: KeyboardEvent) {
    if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return;
    event.preventDefault();
    onShare(clamp(share + (event.key === 'ArrowLeft' ? -KEY_STEP : KEY_STEP)));
  }
  return (
    <Box
      role="separator"
      aria-orientation="vertical"
      aria-label={texts.splitter}
      aria-valuenow={Math.round(share * 100)}
      aria-valuemin={LEAST * 100}
      aria-valuemax={MOST * 100}
      tabIndex={0}
      {...handlers}
      onKeyDown={onKeyDown}
      sx={{
        gridArea: 'split',
        cursor: 'col-resize',
        touchAction: 'none',
        borderRadius: 1,
        '&:hover': { bgcolor: 'surface.lineStrong' },
      }}
    />
  );
}
