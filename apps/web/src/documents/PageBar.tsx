import { mdiChevronLeft, mdiChevronRight } from '@mdi/js';
import { Box, MenuItem, Select } from '@mui/material';
import { fill, formatNumber } from '../base/format.ts';
import { Action } from '../ui/Action.tsx';
import { texts } from './texts.ts';
import { PAGE_SIZES, type useDocuments } from './useDocuments.ts';

type Props = { listed: ReturnType<typeof useDocuments> };

const words = texts.pages;

/** Shows the position of the visible rows among all rows, with buttons for the other pages. */
export function PageBar({ listed }: Props) {
  const { documents, first, total, size, setSize, previous, next } = listed;
  const last = first + documents.length - 1;
  return (
    <Box
      component="nav"
      aria-label={words.size}
      sx={{
        display: 'flex',
        alignItems: 'center',
        gap: 2,
        minHeight: 40,
        px: 3,
        borderTop: 1,
        borderColor: 'divider',
        color: 'text.secondary',
      }}
    >
      <Box component="span" data-part="range">
        {documents.length > 0 &&
          fill(words.range, { first: formatNumber(first), last: formatNumber(last), total: formatNumber(total) })}
      </Box>
      <Box sx={{ flex: 1 }} />
      <Select
        variant="standard"
        disableUnderline
        value={size}
        onChange={(event) => setSize(Number(event.target.value))}
        inputProps={{ 'aria-label': words.size }}
        sx={{ fontSize: 13 }}
      >
        {PAGE_SIZES.map((one) => (
          <MenuItem key={one} value={one}>
            {fill(words.sizeOf, { count: one })}
          </MenuItem>
        ))}
      </Select>
      <Action label={words.previous} icon={mdiChevronLeft} disabled={previous === null} onClick={() => previous?.()} />
      <Action label={words.next} icon={mdiChevronRight} disabled={next === null} onClick={() => next?.()} />
    </Box>
  );
}
