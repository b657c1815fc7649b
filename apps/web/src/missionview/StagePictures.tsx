import { Box, type SxProps } from '@mui/material';
import type { ReactNode } from 'react';
import { size } from '../base/sizes.ts';
import { useFullScreen } from '../player/picture/full-screen.ts';
import { FloatingPanel, TELEMETRY_WIDTH } from '../telemetry/FloatingPanel.tsx';
import { Behind } from '../ui/Behind.tsx';
import { tileArea } from './inset-grid.ts';
import { ASPECT_RATIO } from './layout.ts';
import { FLOATS_INSET, firstPictureRoom, fullPicture, NO_BOX } from './stage-grid.ts';
import { useFirstPlace } from './useFirstPlace.ts';

export type StagePlayer = { id: string; element: ReactNode };

type Props = {
  players: readonly StagePlayer[];
  /** Id of the leading sensor. */
  ledId: string | null;
  /** Each picture is a cell of the grid around, the leading one the large cell or that of the map; null if they share a grid of their own. */
  inset: { mapLeads: boolean } | null;
  columns: number;
  isPhone: boolean;
  isLandscape: boolean;
  /** The transport in full screen fades, and the pointer with it. */
  rests: boolean;
  /** Number of pictures under which the place of the first one is remembered; null if it is not. */
  remembered: number | null;
  /** Floating telemetry; null while it is docked or closed. */
  telemetry: ((head: Parameters<Parameters<typeof FloatingPanel>[0]['children']>[0]) => ReactNode) | null;
  /** Other floating panels. */
  floats: ReactNode;
};

/** The players of a view, and the panels that float over them. */
export function StagePictures(props: Props) {
  const { players, ledId, inset, columns, isPhone, isLandscape, rests, remembered, telemetry, floats } = props;
  const isFull = useFullScreen().on && ledId !== null;
  const firstId = inset && ledId !== null ? ledId : players[0]?.id;
  const firstPicture = useFirstPlace(inset?.mapLeads ? null : remembered, firstId);
  const tiles = players.filter(({ id }) => id !== ledId).map(({ id }) => id);
  const firstHeight = (roomPx: number) => firstPictureRoom(roomPx, Math.ceil(players.length / columns));

  function placeOf(id: string): SxProps {
    if (isFull && id === ledId) return { ...fullPicture, cursor: rests ? 'none' : undefined };
    // In a low window only the height is limited, so the picture takes the full width.
    if (inset === null)
      return { aspectRatio: ASPECT_RATIO, width: '100%', maxHeight: isLandscape ? 'none' : '66vh', minWidth: 0 };
    if (id === ledId) return { gridArea: inset.mapLeads ? 'map' : 'main', minWidth: 0, minHeight: 0 };
    return { gridArea: tileArea(tiles.indexOf(id)), minWidth: 0, minHeight: 0 };
  }

  return (
    <Box
      sx={
        inset
          ? NO_BOX
          : {
              gridArea: 'players',
              minWidth: 0,
              ...(isLandscape ? { position: 'sticky', top: 0, alignSelf: 'start' } : { position: 'relative' }),
            }
      }
    >
      <Box sx={inset ? NO_BOX : { display: 'grid', gap: 2, gridTemplateColumns: `repeat(${columns}, 1fr)` }}>
        {players.map(({ id, element }) => (
          <Box key={id} ref={id === firstId ? firstPicture : null} sx={placeOf(id)}>
            {element}
          </Box>
        ))}
      </Box>
      {!isPhone && (
        <Box data-part="floats" sx={{ ...floatsPlace(isFull, inset !== null), pointerEvents: 'none' }}>
          {telemetry && (
            <Behind>
              <FloatingPanel
                storageKey="floatingTelemetry"
                first={{ width: TELEMETRY_WIDTH }}
                firstHeight={firstHeight}
              >
                {telemetry}
              </FloatingPanel>
            </Behind>
          )}
          {!isFull && floats}
        </Box>
      )}
    </Box>
  );
}

/**
 * Returns the place of the area for floating panels: over all pictures, over the large one, or, in full screen, over
 * the one picture, below its head.
 */
function floatsPlace(isFull: boolean, isInset: boolean) {
  const { rest } = FLOATS_INSET;
  const inset = `${FLOATS_INSET.top + (isFull ? size.labelBar : 0)}px ${rest}px ${rest}px`;
  if (isFull) return { ...fullPicture, inset };
  return isInset
    ? { gridArea: 'main', margin: inset, position: 'relative', zIndex: 2 }
    : { position: 'absolute', inset };
}
