import { Box } from '@mui/material';
import { labelColours } from './colours.ts';
import { fill } from './format.ts';
import { useHighestLabel } from './shown-labels.ts';
import { size } from './sizes.ts';
import { texts } from './texts.ts';

/** The highest classification of everything on screen; at the top and, quieter, in the footer. */
export function LabelBar() {
  const label = useHighestLabel();
  return (
    <Box
      role="note"
      aria-label={fill(texts.labelBar, { label })}
      sx={{
        height: size.labelBar,
        lineHeight: `${size.labelBar}px`,
        bgcolor: labelColours[label].fill,
        color: '#fff',
        fontSize: 12,
        fontWeight: 600,
        letterSpacing: '0.06em',
        textAlign: 'center',
        flex: 'none',
      }}
    >
      {label}
    </Box>
  );
}
