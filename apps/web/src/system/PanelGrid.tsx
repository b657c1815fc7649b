import { Box } from '@mui/material';
import { Children, type ReactNode } from 'react';

/** Minimum width of a card without line breaks, in px. */
const PANEL_MIN_PX = 262;
const TRACKS = [2, 3, 4, 5] as const;
/** Number of cards of the dashboard; charts follow them. */
const CARDS = 5;

type Props = { dimmed: boolean; children: ReactNode };

/** Grid for the cards and charts of the admin page, with as many columns as fit, and no gaps in its rows. */
export function PanelGrid({ dimmed, children }: Props) {
  const panels = Children.toArray(children);
  return (
    <Box sx={{ flex: 'none', containerType: 'inline-size' }}>
      <Box
        data-part="panel-grid"
        sx={{
          display: 'grid',
          gridTemplateColumns: 'minmax(0, 1fr)',
          gap: 2,
          opacity: dimmed ? 0.6 : 1,
          ...forEachWidth((tracks) => ({ gridTemplateColumns: `repeat(${tracks}, minmax(0, 1fr))` })),
        }}
      >
        {Children.map(panels, (panel, index) => (
          <Box
            sx={{
              display: 'grid',
              minWidth: 0,
              ...forEachWidth((tracks) => ({ gridColumn: `span ${spanOf(index, panels.length, tracks)}` })),
            }}
          >
            {panel}
          </Box>
        ))}
      </Box>
    </Box>
  );
}

const forEachWidth = (rules: (tracks: number) => object) =>
  Object.fromEntries(TRACKS.map((tracks) => [`@container (min-width: ${tracks * PANEL_MIN_PX}px)`, rules(tracks)]));

/**
 * Returns the number of columns of a panel. The last panel takes the rest of its row; below a complete row of cards the
 * first chart takes two columns.
 */
function spanOf(index: number, panels: number, tracks: number): number {
  const isBelowCards = tracks === CARDS && panels > CARDS;
  if (index === panels - 1) {
    const before = isBelowCards ? panels : panels - 1;
    return tracks - (before % tracks);
  }
  return isBelowCards && index === CARDS ? 2 : 1;
}
