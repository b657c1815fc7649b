import { Box } from '@mui/material';
import { NONE, plainText } from '../base/format.ts';

/** Shows labels with their values; a missing value is shown as a dash. */
export function CardFields({ fields }: { fields: readonly (readonly [string, string | null])[] }) {
  return (
    <Box component="dl" sx={{ m: 0, display: 'grid', gridTemplateColumns: '110px 1fr', gap: 1.5 }}>
      {fields.map(([label, value]) => (
        <Box key={label} sx={{ display: 'contents' }}>
          <Box component="dt" sx={{ color: 'text.secondary' }}>
            {label}
          </Box>
          <Box component="dd" sx={{ m: 0, overflowWrap: 'anywhere' }}>
            {value === null || value === '' ? NONE : plainText(value)}
          </Box>
        </Box>
      ))}
    </Box>
  );
}
