import { Box, Typography } from '@mui/material';
import type { Classification } from '@osprey/contract';
import type { ReactNode } from 'react';
import { labelColours } from '../../base/colours.ts';
import { fill } from '../../base/format.ts';
import { size, unseen } from '../../base/sizes.ts';
import { labelBarStyle } from '../../ui/label/label-style.ts';
import { texts } from './texts.ts';

/** z-index of the label bar, as on the other pages of the site: no dialog dims or covers it. */
const ABOVE_DIALOGS = 1600;

type Props = {
  label: Classification;
  title: string;
  right?: ReactNode;
  /** Hides the name of the room, to leave its space to other content. */
  compact?: boolean;
  children: ReactNode;
};

/** Frame of the call page: the label of the room at the top, its name, and the content that fills the window. */
export function CallFrame({ label, title, right, compact = false, children }: Props) {
  return (
    <Box sx={{ display: 'flex', flexDirection: 'column', height: '100dvh', minWidth: 0 }}>
      <Box
        role="note"
        aria-label={fill(texts.labelBar, { label })}
        sx={{
          ...labelBarStyle,
          ...{ position: 'relative', zIndex: ABOVE_DIALOGS, bgcolor: labelColours[label].fill },
        }}
      >
        {label}
      </Box>
      {compact ? (
        <Box component="h1" sx={unseen}>
          {title}
        </Box>
      ) : (
        <Box
          component="header"
          sx={{
            ...{ display: 'flex', alignItems: 'center', gap: 3, height: size.topBar, flex: 'none', px: 4 },
            ...{ borderBottom: 1, borderColor: 'divider', bgcolor: 'surface.panel' },
          }}
        >
          <Typography component="h1" variant="h3" noWrap>
            {title}
          </Typography>
          <Box sx={{ flex: 1 }} />
          {right}
        </Box>
      )}
      <Box component="main" sx={{ flex: 1, minHeight: 0, display: 'flex', flexDirection: 'column' }}>
        {children}
      </Box>
    </Box>
  );
}
