import { Box } from '@mui/material';
import { labelColours } from '../base/colours.ts';
import { fill } from '../base/format.ts';
import { useHighestLabel } from '../base/shown-labels.ts';
import { texts } from '../base/texts.ts';
import { labelBarStyle } from '../ui/label/label-style.ts';

/** The highest classification of everything on screen; at the top and, quieter, in the footer. */
export function LabelBar() {
  const label = useHighestLabel();
  return (
    <Box
      role="note"
      aria-label={fill(texts.labelBar, { label })}
      sx={{ ...labelBarStyle, bgcolor: labelColours[label].fill }}
    >
      {label}
    </Box>
  );
}
