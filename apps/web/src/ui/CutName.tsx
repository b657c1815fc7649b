import { Box } from '@mui/material';

/** Number of letters at the end of a name that are never cut. */
const END_LETTERS = 8;

/**
 * Shows a name, cut in the middle if there is no room for it, since related names often differ in their last letters.
 */
export function CutName({ name }: { name: string }) {
  const letters = [...name];
  const cut = letters.length > 2 * END_LETTERS ? -END_LETTERS : letters.length;
  return (
    <Box component="span" sx={{ display: 'flex', minWidth: 0, fontWeight: 600, whiteSpace: 'pre' }}>
      <Box component="span" sx={{ overflow: 'hidden', textOverflow: 'ellipsis' }}>
        {letters.slice(0, cut).join('')}
      </Box>
      {cut < 0 && <span>{letters.slice(cut).join('')}</span>}
    </Box>
  );
}
