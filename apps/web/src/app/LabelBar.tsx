import { Box } from '@mui/material';
import { labelBarStyle } from '../ui/labelStyle.ts';
import { labelColours } from './colours.ts';
import { fill } from './format.ts';
import { useHighestLabel } from './shown-labels.ts';
import { texts } from './texts.ts';

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
