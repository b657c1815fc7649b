import { Box } from '@mui/material';
import { useNavigation } from 'react-router';
import { texts } from './texts.ts';

/** Rows of a table before they are there. */
const rowsSx = {
  '&::before': {
    content: '""',
    display: 'block',
    height: '100%',
    background: `linear-gradient(90deg, transparent 16px, var(--bar) 16px 26%, transparent 26% 30%, var(--bar) 30% 52%,
      transparent 52% 62%, var(--bar) 62% 74%, transparent 74%)`,
    '--bar': 'var(--mui-palette-surface-hover)',
    maskImage: 'repeating-linear-gradient(transparent 0 14px, #000 14px 26px, transparent 26px 40px)',
  },
} as const;

const shapes: Readonly<Record<string, readonly object[]>> = {
  places: [{ flex: 'none', height: 344 }, rowsSx],
  view: [{ flex: 2 }, rowsSx],
  mission: [{}, { flex: 'none', height: 26 }],
  map: [{}],
  cards: [{}, {}, {}, {}, {}, {}],
  table: [rowsSx],
};

/** Placeholder in the frame while the code of its first page loads: the layout of that page, as the first paint had it. */
export function PageComing() {
  // public/early.js chose it by the address.
  const frame = document.documentElement.dataset.frame ?? '';
  return (
    <Box
      role="status"
      aria-label={texts.coming}
      sx={{
        ...{ height: '100%', p: { xs: 0, sm: 2 }, gap: 2, display: 'flex', flexDirection: 'column' },
        ...(frame === 'cards' && { display: 'grid', grid: 'repeat(3, 1fr) / repeat(auto-fit, minmax(300px, 1fr))' }),
      }}
    >
      {(shapes[frame] ?? [{}]).map((shape, index) => (
        <Box
          // Always the same ones.
          key={String(index)}
          sx={{
            ...{ flex: 1, border: 1, borderColor: 'divider', borderRadius: 2, bgcolor: 'surface.panel' },
            ...{ overflow: 'hidden', ...shape },
          }}
        />
      ))}
    </Box>
  );
}

/**
 * Progress line over the current page while the code of the next one loads, so that the user sees that the click was
 * registered.
 */
export function NextPageComing() {
  const { state } = useNavigation();
  if (state === 'idle') return null;
  return (
    <Box role="status" aria-label={texts.coming} sx={{ position: 'sticky', top: 0, height: 0, zIndex: 3 }}>
      <Box
        sx={{
          height: 2,
          bgcolor: 'primary.main',
          // The delay hides the line for a page that loads quickly.
          animation: 'osprey-coming 150ms 150ms both',
          '@keyframes osprey-coming': { from: { opacity: 0 }, to: { opacity: 1 } },
        }}
      />
    </Box>
  );
}
