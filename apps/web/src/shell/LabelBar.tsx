import { Box } from '@mui/material';
import { labelColours } from '../base/colours.ts';
import { fill } from '../base/format.ts';
import { useHighestLabel } from '../base/shown-labels.ts';
import { texts } from '../base/texts.ts';
import { labelBarStyle } from '../ui/label/label-style.ts';

/**
 * z-index above the highest layer of Material UI, its tooltips at 1500, so that no dialog dims or covers the bar, and
 * full screen keeps it.
 */
const ABOVE_DIALOGS = 1600;

/**
 * Bar with the highest classification of everything on screen. It is shown at the top and, less prominently, in the
 * footer.
 */
export function LabelBar() {
  const label = useHighestLabel();
  return (
    <Box
      role="note"
      aria-label={fill(texts.labelBar, { label })}
      sx={{
        ...labelBarStyle,
        position: 'relative',
        zIndex: ABOVE_DIALOGS,
        visibility: 'visible',
        bgcolor: labelColours[label].fill,
        // Keeps the background when printing, since the text is white.
        printColorAdjust: 'exact',
      }}
    >
      {label}
    </Box>
  );
}
