import { Box } from '@mui/material';
import { labelColours } from '../base/colours.ts';
import { fill } from '../base/format.ts';
import { useHighestLabel } from '../base/shown-labels.ts';
import { size } from '../base/sizes.ts';
import { texts } from '../base/texts.ts';
import { useScheme } from '../ui/StateDot.tsx';

/** Footer with the copyright at the left and the label in the middle. */
export function Footer({ right }: { right?: React.ReactNode }) {
  const label = useHighestLabel();
  const scheme = useScheme();
  return (
    <Box
      component="footer"
      sx={{
        display: { xs: 'none', sm: 'grid' },
        gridTemplateColumns: '1fr auto 1fr',
        alignItems: 'center',
        height: size.footer,
        flex: 'none',
        px: 3,
        borderTop: 1,
        borderColor: 'divider',
        bgcolor: 'surface.panel',
        color: 'text.secondary',
        fontSize: 12,
        lineHeight: '16px',
      }}
    >
      <span>{fill(texts.copyright, { year: new Date().getFullYear() })}</span>
      <Box component="span" sx={{ color: labelColours[label].ink[scheme], fontWeight: 600 }}>
        {label}
      </Box>
      <Box component="span" sx={{ textAlign: 'right' }}>
        {right}
      </Box>
    </Box>
  );
}
