import { Box } from '@mui/material';

/** Letters of the end of a name that always stay. */
const END_LETTERS = 8;

/** Cut in the middle where there is no room for it: names of one family often differ in their last letters. */
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
